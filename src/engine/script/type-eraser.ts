// Walks Babel's tree of a TypeScript source and blanks what is type. Where blanking alone would join two statements
// or break an arrow function over a line, a `;` or a bracket takes the place of a blanked character.

import type { Finding } from './source-text.ts'
import { childOf, ENDED_BY_LINE, isBabelNode, isTypeStatement, TYPE_NODES, type BabelNode } from './babel-nodes.ts'
import { refusalOf } from './type-refusals.ts'

interface Token {
  start: number
  end: number
}

const MODIFIERS: ReadonlySet<string> = new Set([
  'public',
  'private',
  'protected',
  'readonly',
  'override',
  'abstract',
  'declare',
])

export class TypeEraser {
  readonly refused: Finding[] = []
  readonly #source: string
  readonly #characters: string[]
  readonly #tokens: readonly Token[]
  /** Where statements and class properties end without a `;`. */
  readonly #openEnds = new Set<number>()

  constructor(source: string, tokens: readonly unknown[]) {
    this.#source = source
    this.#characters = source.split('')
    // Babel types its tokens as `any`; comments among them are no tokens.
    this.#tokens = (tokens as (Token & { type: unknown })[]).filter((token) => typeof token.type === 'object')
  }

  text(): string {
    return this.#characters.join('')
  }

  visit(root: unknown): void {
    const pending: BabelNode[] = []
    const push = (value: unknown): void => {
      if (isBabelNode(value)) pending.push(value)
    }
    push(root)
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      const refusal = refusalOf(node, this.#source)
      if (refusal !== undefined) this.refused.push(refusal)
      if (ENDED_BY_LINE.has(node.type) && this.#source[node.end - 1] !== ';') this.#openEnds.add(node.end)
      if (this.#erase(node)) continue
      for (const [key, value] of Object.entries(node)) {
        if (key === 'loc' || key === 'extra' || key.endsWith('Comments')) continue
        if (Array.isArray(value)) value.forEach(push)
        else push(value)
      }
    }
  }

  /** Returns true when nothing inside the node is left to look at. */
  #erase(node: BabelNode): boolean {
    if (isTypeStatement(node)) {
      this.#blankStatement(node)
      return true
    }
    if (TYPE_NODES.has(node.type)) {
      this.#blankType(node.start, node.end)
      return true
    }
    switch (node.type) {
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
        this.#blankType(childOf(node, 'expression')?.end ?? node.end, node.end)
        return false
      case 'ImportSpecifier':
      case 'ExportSpecifier':
        if (node['importKind'] !== 'type' && node['exportKind'] !== 'type') return false
        this.#blankWithComma(node)
        return true
      case 'ArrowFunctionExpression':
        this.#keepArrowOnItsLine(node)
        break
      case 'ClassDeclaration':
      case 'ClassExpression':
        this.#eraseClassHead(node)
        break
      case 'ClassProperty':
      case 'ClassPrivateProperty':
      case 'ClassAccessorProperty':
      case 'ClassMethod':
      case 'ClassPrivateMethod':
        this.#eraseModifiers(node)
        break
      default:
    }
    this.#eraseMarks(node)
    this.#eraseThisParameter(node)
    return false
  }

  /** `?` after a parameter, property or method, `!` after a variable or property. */
  #eraseMarks(node: BabelNode): void {
    const name = node.type === 'VariableDeclarator' ? node['id'] : node['key']
    if (node['optional'] === true && node.type === 'Identifier') {
      this.#blankToken(node.start + 1, '?', node.end)
    } else if (isBabelNode(name) && (node['optional'] === true || node['definite'] === true)) {
      // An identifier with an annotation ends after it: the mark stands before.
      const annotation = name['typeAnnotation']
      const from = isBabelNode(annotation) ? name.start + 1 : name.end
      this.#blankToken(from, node['definite'] === true ? '!' : '?', node.end)
    } else if (node['optional'] === true && /Pattern$|^RestElement$/.test(node.type)) {
      const annotation = node['typeAnnotation']
      this.#blankLastToken(node.start, isBabelNode(annotation) ? annotation.start : node.end, '?')
    }
  }

  #eraseThisParameter(node: BabelNode): void {
    const first: unknown = Array.isArray(node['params']) ? node['params'][0] : undefined
    if (isBabelNode(first) && first.type === 'Identifier' && first['name'] === 'this') this.#blankWithComma(first)
  }

  #eraseClassHead(node: BabelNode): void {
    if (node['abstract'] === true) this.#blankToken(node.start, 'abstract', node.end)
    const list: unknown = node['implements']
    const last: unknown = Array.isArray(list) ? list.at(-1) : undefined
    if (!isBabelNode(last) || !Array.isArray(list) || !isBabelNode(list[0])) return
    const keyword = this.#tokenBefore(list[0].start)
    if (keyword) this.#blank(keyword.start, last.end)
    node['implements'] = undefined
  }

  #eraseModifiers(member: BabelNode): void {
    const key = childOf(member, 'key')
    if (key === undefined) return
    for (let i = this.#tokenIndex(member.start); i < this.#tokens.length; i++) {
      const token = this.#tokens[i]
      if (token === undefined || token.start >= key.start) break
      const text = this.#source.slice(token.start, token.end)
      if (text === '[') break
      if (!MODIFIERS.has(text)) continue
      this.#blank(token.start, token.end)
      // Without it a member that begins with `[` or `*` would continue the one before.
      if (token.start === member.start) this.#put(token.start, ';')
    }
    this.#eraseMarks(member)
    member['optional'] = undefined
    member['definite'] = undefined
  }

  /** No line may end between `)` and `=>`, nor between `async` or `return` and `(`: the bracket moves over the type. */
  #keepArrowOnItsLine(node: BabelNode): void {
    const returnType = node['returnType']
    if (isBabelNode(returnType)) {
      const close = this.#tokenBefore(returnType.start)
      const arrow = this.#tokens[this.#tokenIndex(returnType.end)]
      this.#blank(returnType.start, returnType.end)
      node['returnType'] = undefined
      if (close && arrow && hasLineEnd(this.#source, close.end, arrow.start)) {
        this.#put(close.start, ' ')
        this.#put(returnType.end - 1, ')')
      }
    }
    const typeParameters = node['typeParameters']
    if (isBabelNode(typeParameters)) {
      const open = this.#tokens[this.#tokenIndex(typeParameters.end)]
      this.#blank(typeParameters.start, typeParameters.end)
      node['typeParameters'] = undefined
      if (open && hasLineEnd(this.#source, typeParameters.start, open.start)) {
        this.#put(typeParameters.start, '(')
        this.#put(open.start, ' ')
      }
    }
  }

  #blankStatement(node: BabelNode): void {
    this.#blank(node.start, node.end)
    // An empty statement or member: what stands before must not run on into what follows.
    this.#put(node.start, ';')
  }

  /** Where a type ended a statement at the end of its line, blanking must not let the next line continue it. */
  #blankType(start: number, end: number): void {
    this.#blank(start, end)
    if (this.#openEnds.has(end)) this.#put(start, ';')
  }

  #blankWithComma(node: BabelNode): void {
    this.#blank(node.start, node.end)
    const next = this.#tokens[this.#tokenIndex(node.end)]
    if (next && this.#source.slice(next.start, next.end) === ',') this.#blank(next.start, next.end)
  }

  #blankToken(from: number, text: string, before: number): void {
    for (let i = this.#tokenIndex(from); i < this.#tokens.length; i++) {
      const token = this.#tokens[i]
      if (token === undefined || token.start >= before) return
      if (this.#source.slice(token.start, token.end) === text) {
        this.#blank(token.start, token.end)
        return
      }
    }
  }

  #blankLastToken(from: number, before: number, text: string): void {
    const token = this.#tokenBefore(before)
    if (token && token.start >= from && this.#source.slice(token.start, token.end) === text) {
      this.#blank(token.start, token.end)
    }
  }

  /** Index of the first token that begins at or after `offset`. */
  #tokenIndex(offset: number): number {
    let low = 0
    let high = this.#tokens.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#tokens[middle]?.start ?? 0) < offset) low = middle + 1
      else high = middle
    }
    return low
  }

  #tokenBefore(offset: number): Token | undefined {
    return this.#tokens[this.#tokenIndex(offset) - 1]
  }

  #blank(start: number, end: number): void {
    for (let i = start; i < end; i++) {
      const character = this.#characters[i]
      if (character !== undefined && !LINE_END.test(character)) this.#characters[i] = ' '
    }
  }

  #put(offset: number, character: string): void {
    this.#characters[offset] = character
  }
}

const LINE_END = /[\n\r\u2028\u2029]/

function hasLineEnd(source: string, start: number, end: number): boolean {
  return LINE_END.test(source.slice(start, end))
}
