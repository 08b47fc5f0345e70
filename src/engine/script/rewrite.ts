// The script as the sandbox takes it: one expression whose value is an async function without parameters.
// Strings, names and operators get spellings that SES accepts and that mean the same; lines stay where they are.

import type { PositionMap } from '../engine.ts'
import { applyEdits, type Edit } from './edits.ts'
import { KNOWN_NAMES, whyAbsent } from './known-names.ts'
import { isTypeofOperand, isWritten, type Scopes } from './scopes.ts'
import { mayOffend, respellLiteral, respellName, toLiteral } from './ses-spelling.ts'
import type { SourceText } from './source-text.ts'
import { parentOf, type AnyNode, type SyntaxTree } from './syntax-tree.ts'

/** What the rewritten code calls; each gets a name that the script does not use. */
const HELPERS = {
  /** (site, cooked, raw) => the strings array of a tagged template, the same at each evaluation of its site. */
  template: '((c,f,d)=>(i,k,r)=>c[i]||(c[i]=f(d(k,"raw",{value:f(r)}))))([],Object.freeze,Object.defineProperty)',
  /** (source, flags) => a new regular expression whose `source` is the text as written. */
  regexp: '((R)=>(s,f)=>new R(s,f))(RegExp)',
  /**
   * (value, name, why) => the value of a global that is there; the compartment answers unknown names with undefined.
   * The error's stack begins at the name: by `captureStackTrace`, or, where SES has disarmed that, by SES's leaving out
   * of functions called `__HIDE_…`.
   */
  global:
    '((g,h,X,E)=>function __HIDE_global(v,n,y){if(v!==void 0||h(g,n))return v;const m=n+" is not defined"+y,e=new X(m);' +
    'if(E.captureStackTrace)E.captureStackTrace(e,__HIDE_global);throw e.stack?e:new X(m)})' +
    '(globalThis,Reflect.has,ReferenceError,Error)',
} as const

type Helper = keyof typeof HELPERS

export interface RewriteInput {
  /** Positions are those of this text; types are already blanked in `text`. */
  source: SourceText
  tree: SyntaxTree
  scopes: Scopes
  /** The statement that exports meta: it loses its `export`. */
  metaStatement: AnyNode | undefined
}

export function rewriteForSandbox(input: RewriteInput): { code: string; positions: PositionMap } {
  const rewriter = new Rewriter(input)
  for (const node of input.tree.nodes) rewriter.visit(node)
  return rewriter.finish()
}

class Rewriter {
  readonly #source: SourceText
  readonly #text: string
  readonly #tree: SyntaxTree
  readonly #scopes: Scopes
  readonly #edits: Edit[] = []
  readonly #helpers = new Map<Helper, string>()
  readonly #base: string
  readonly #offends: boolean
  #sites = 0

  constructor({ source, tree, scopes, metaStatement }: RewriteInput) {
    this.#source = source
    this.#text = source.text
    this.#tree = tree
    this.#scopes = scopes
    this.#base = unusedName(source.text)
    this.#offends = mayOffend(source.text)
    if (metaStatement) this.#blank(metaStatement.start, metaStatement.start + 'export'.length)
    this.#blankComments()
  }

  visit(node: AnyNode): void {
    if (node.type === 'Identifier' && this.#visitReference(node)) return
    if (this.#offends) this.#respell(node)
  }

  finish(): { code: string; positions: PositionMap } {
    const names = [...this.#helpers.values()].join(',')
    const values = [...this.#helpers.keys()].map((helper) => HELPERS[helper]).join(',')
    const prefix = names === '' ? '(async function(){' : `((${names})=>async function(){`
    const suffix = names === '' ? '\n})' : `\n})(${values})`
    return applyEdits(this.#source, this.#edits, prefix, suffix)
  }

  /** Comments say nothing to the machine, but SES reads them, and V8 takes `//# sourceURL` for an order. */
  #blankComments(): void {
    for (const { start, end } of this.#tree.comments) this.#blank(start, end)
  }

  #blank(start: number, end: number): void {
    this.#edits.push({ start, end, text: this.#text.slice(start, end).replace(/[^\n\r\u2028\u2029]/g, ' ') })
  }

  #respell(node: AnyNode): void {
    switch (node.type) {
      case 'Identifier':
      case 'PrivateIdentifier': {
        // `{ name }`: the value stands at the same place and is respelled for both.
        const parent = parentOf(node)
        if (parent?.type === 'Property' && parent.shorthand && parent.key === node) return
        const respelled = respellName(this.#text.slice(node.start, node.end))
        if (respelled !== undefined) this.#edits.push({ start: node.start, end: node.end, text: respelled })
        return
      }
      case 'Literal':
        if (node.regex) this.#respellRegExp(node, node.regex)
        else if (typeof node.value === 'string') this.#respellText(node.start, node.end)
        return
      case 'TemplateElement':
        if (parentOf(parentOf(node) ?? node)?.type !== 'TaggedTemplateExpression')
          this.#respellText(node.start, node.end)
        return
      case 'TaggedTemplateExpression':
        this.#respellTagged(node)
        return
      case 'UnaryExpression':
        // `a<!--b` is three operators; a space keeps them from looking like a comment.
        if (this.#text.startsWith('!--', node.start) && this.#text[node.start - 1] === '<')
          this.#insert(node.start, ' ')
        return
      case 'UpdateExpression':
        if (!node.prefix && this.#text[node.end] === '>') this.#insert(node.end, ' ')
        return
      default:
    }
  }

  #respellText(start: number, end: number): void {
    const raw = this.#text.slice(start, end)
    const respelled = respellLiteral(raw)
    if (respelled !== raw) this.#edits.push({ start, end, text: respelled })
  }

  /** An escape would show in `source`, so the expression is made from its text instead. */
  #respellRegExp(node: AnyNode, regex: { pattern: string; flags: string }): void {
    const raw = this.#text.slice(node.start, node.end)
    if (respellLiteral(raw) === raw) return
    const call = `${this.#helper('regexp')}(${toLiteral(regex.pattern)},${toLiteral(regex.flags)})`
    this.#edits.push({ start: node.start, end: node.end, text: `${this.#gap(node.start)}${call}` })
  }

  /** A tag sees the raw text too: it is called as a function on a strings array that holds both. */
  #respellTagged(node: Extract<AnyNode, { type: 'TaggedTemplateExpression' }>): void {
    const { quasis } = node.quasi
    if (
      quasis.every(({ start, end }) => respellLiteral(this.#text.slice(start, end)) === this.#text.slice(start, end))
    ) {
      return
    }
    const cooked = quasis.map(({ value }) => (typeof value.cooked === 'string' ? toLiteral(value.cooked) : 'void 0'))
    const raw = quasis.map(({ value }) => toLiteral(value.raw))
    const strings = `${this.#helper('template')}(${this.#sites++},[${cooked.join(',')}],[${raw.join(',')}])`
    const wrapped = isInNewCallee(node)
    if (wrapped) this.#insert(node.start, '(')
    quasis.forEach((quasi, index) => {
      const first = index === 0
      const last = index === quasis.length - 1
      // From the backtick or `}` before the text to the backtick or `${` after it.
      const start = quasi.start - 1
      const end = quasi.end + (last ? 1 : 2)
      const lineEnds = '\n'.repeat(this.#text.slice(start, end).match(/\r\n|[\n\r]/g)?.length ?? 0)
      const text = `${first ? `(${strings}` : ')'}${lineEnds}${last ? `)${wrapped ? ')' : ''}` : ',('}`
      this.#edits.push({ start, end, text })
    })
  }

  /** A compartment reads unknown names as undefined; a script shall get its ReferenceError. */
  #visitReference(node: Extract<AnyNode, { type: 'Identifier' }>): boolean {
    if (KNOWN_NAMES.has(node.name) || !this.#scopes.isUnresolved(node)) return false
    if (isTypeofOperand(node) || isWritten(node)) return false
    const why = whyAbsent(node.name)?.why
    const name = toLiteral(node.name)
    const read = respellName(this.#text.slice(node.start, node.end)) ?? this.#text.slice(node.start, node.end)
    const call = `${this.#helper('global')}(${read},${name},${toLiteral(why === undefined ? '' : ` (${why})`)})`
    const parent = parentOf(node)
    const shorthand = parent?.type === 'Property' && parent.shorthand
    const text = isInNewCallee(node) ? `(${call})` : call
    this.#edits.push({ start: node.start, end: node.end, text: shorthand ? `${read}:${text}` : text })
    return true
  }

  #insert(at: number, text: string): void {
    this.#edits.push({ start: at, end: at, text })
  }

  /** A space where a name would otherwise grow together with what stands before it. */
  #gap(offset: number): string {
    return /[\w$\u0080-\uffff]/.test(this.#text[offset - 1] ?? '') ? ' ' : ''
  }

  #helper(helper: Helper): string {
    let name = this.#helpers.get(helper)
    if (name === undefined) {
      name = `${this.#base}${this.#helpers.size}`
      this.#helpers.set(helper, name)
    }
    return name
  }
}

/** True in the callee of `new`, where a call would be taken for the constructor: `new tag`x`()`. */
function isInNewCallee(node: AnyNode): boolean {
  let child = node
  for (let parent = parentOf(node); parent !== undefined; parent = parentOf(parent)) {
    if (parent.type === 'NewExpression') return parent.callee === child
    const inSpine =
      (parent.type === 'MemberExpression' && parent.object === child) ||
      (parent.type === 'TaggedTemplateExpression' && parent.tag === child)
    if (!inSpine) return false
    child = parent
  }
  return false
}

/** A name that occurs nowhere in the script. */
function unusedName(text: string): string {
  for (let i = 0; ; i++) {
    const name = `$weft${i === 0 ? '' : i}_`
    if (!text.includes(name)) return name
  }
}
