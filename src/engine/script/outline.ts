// A token-level reading of a script that does not parse: which strings ended too early, which brackets are open.

import { tokenizer, tokTypes, type Token } from 'acorn'
import type { SourceText } from './source-text.ts'

export interface Opening {
  /** `(`, `[`, `{`, '${' or a backtick. */
  text: string
  start: number
}

/** A string or template that ends where something follows that can't follow a value: its quote was part of the text. */
export interface EarlyEnd {
  kind: 'template' | 'string'
  quote: string
  opened: number
  /** Offset of the closing quote. */
  closed: number
}

export interface Outline {
  /** What is open where the reading ended, outermost first. */
  open: Opening[]
  earlyEnd?: EarlyEnd
  /** An opening whose closing bracket, by its indentation, belongs to another one. */
  misclosed?: Opening
  /** The token at or after the offset the reading ended at. */
  next?: Token
  last?: Token
}

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '${': '}' }

/** Reads up to `until`, or to the first character that makes no token. */
export function readOutline(source: SourceText, until: number): Outline {
  const outline: Outline = { open: [] }
  let closedTemplate: { opened: number; token: Token } | undefined
  let previous: Token | undefined
  for (const token of tokensOf(source.text)) {
    if (outline.earlyEnd === undefined) {
      const early = earlyEndBefore(source, token, previous, closedTemplate)
      if (early) outline.earlyEnd = early
    }
    if (token.start >= until) {
      outline.next = token
      return outline
    }
    closedTemplate = undefined
    if (token.type === tokTypes.backQuote) {
      if (outline.open.at(-1)?.text === '`') {
        closedTemplate = { opened: outline.open.pop()?.start ?? token.start, token }
      } else {
        outline.open.push({ text: '`', start: token.start })
      }
    } else {
      trackBracket(source, outline, token)
    }
    previous = token
    outline.last = token
  }
  return outline
}

function* tokensOf(text: string): Generator<Token> {
  try {
    yield* tokenizer(text, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true })
  } catch {
    // The text stops making sense here: the parser has said so already.
  }
}

function trackBracket(source: SourceText, outline: Outline, token: Token): void {
  const text = token.type.label
  if (text in CLOSERS) {
    outline.open.push({ text, start: token.start })
    return
  }
  const opening = outline.open.at(-1)
  if (opening === undefined || CLOSERS[opening.text] !== text) return
  outline.open.pop()
  if (outline.misclosed !== undefined || opening.text === '${') return
  const closing = indentation(source, token.start)
  if (closing.first && closing.width < indentation(source, opening.start).width) outline.misclosed = opening
}

/** How far the line of an offset is indented, and whether the offset is the first thing on it. */
function indentation(source: SourceText, offset: number): { width: number; first: boolean } {
  const { line, column } = source.position(offset)
  const blanks = /[ \t]*/y
  blanks.lastIndex = source.lineStart(line)
  // Read in place: a line can be as long as the script.
  const width = blanks.exec(source.text)?.[0].length ?? 0
  return { width, first: column === width + 1 }
}

function earlyEndBefore(
  source: SourceText,
  token: Token,
  previous: Token | undefined,
  template: { opened: number; token: Token } | undefined,
): EarlyEnd | undefined {
  if (previous === undefined || !startsValue(token, source.text.slice(token.start, token.end))) return undefined
  if (source.text.slice(previous.end, token.start).match(/[\n\r]/)) return undefined
  if (template !== undefined) {
    return { kind: 'template', quote: '`', opened: template.opened, closed: template.token.start }
  }
  if (previous.type !== tokTypes.string) return undefined
  const quote = source.text[previous.start] ?? "'"
  return { kind: 'string', quote, opened: previous.start, closed: previous.end - 1 }
}

/** Names, words, numbers, strings and templates can't follow a value on the same line. */
function startsValue(token: Token, text: string): boolean {
  const { type } = token
  // `of`, `as` and the like are names that may stand between two values.
  if (type === tokTypes.name) return !['of', 'as', 'satisfies', 'from', 'with'].includes(text)
  if (type.keyword === 'in' || type.keyword === 'instanceof') return false
  return (
    type === tokTypes.num ||
    type === tokTypes.string ||
    type === tokTypes.backQuote ||
    type === tokTypes.privateId ||
    type.keyword !== undefined
  )
}
