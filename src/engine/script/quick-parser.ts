// acorn, with names looked up in a set: its own lists make the time grow with the square of the names.

import { Parser } from 'acorn'

/** From here on a list is slower than a set. */
const FEW = 32

/** Of acorn's use of an array: `push`, `indexOf`, the first element. */
class NameList extends Array<string> {
  #names: Set<string> | undefined

  override push(name: string): number {
    this.#names?.add(name)
    return super.push(name)
  }

  override indexOf(name: string): number {
    if (this.length < FEW) return super.indexOf(name)
    this.#names ??= new Set(this)
    return this.#names.has(name) ? 0 : -1
  }
}

/** What acorn keeps of a scope; its types don't tell. */
type NamesOfScope = Record<'var' | 'lexical' | 'functions', string[]>
interface ScopedParser {
  enterScope(flags: number): void
  currentScope(): NamesOfScope
}

export const QuickParser = Parser.extend((Base) => {
  // Plugins override methods that the types leave out.
  const inherited = Base.prototype as unknown as ScopedParser
  class Quick extends Base {
    enterScope(this: Quick & ScopedParser, flags: number): void {
      inherited.enterScope.call(this, flags)
      const scope = this.currentScope()
      scope.var = new NameList()
      scope.lexical = new NameList()
      scope.functions = new NameList()
    }
  }
  return Quick
})
