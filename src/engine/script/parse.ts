// JavaScript to a syntax tree with acorn: module syntax, top-level `await` and `return`, everything strict.

import type { Comment, Program } from 'acorn'
import { QuickParser } from './quick-parser.ts'
import { buildTree, type SyntaxTree } from './syntax-tree.ts'

export interface SyntaxFailure {
  /** The parser's words without its position. */
  message: string
  offset: number
  /** How far the parser had read. */
  raisedAt: number
  tooDeep: boolean
}

export type ParseOutcome = { ok: true; tree: SyntaxTree } | { ok: false; failure: SyntaxFailure }

export function parseScript(text: string): ParseOutcome {
  const comments: Comment[] = []
  let program: Program
  try {
    program = QuickParser.parse(text, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      allowReturnOutsideFunction: true,
      allowHashBang: true,
      onComment: comments,
    })
  } catch (error) {
    return { ok: false, failure: toFailure(error) }
  }
  return { ok: true, tree: buildTree(program, comments) }
}

/** What acorn and Babel throw carries the offset as `pos`; a stack overflow has none and is told from the message. */
export function toFailure(error: unknown): SyntaxFailure {
  const message = error instanceof Error ? error.message : String(error)
  const offset = numberIn(error, 'pos') ?? 0
  return {
    message: message.replace(/\s*\(\d+:\d+\)\s*$/, ''),
    offset,
    raisedAt: numberIn(error, 'raisedAt') ?? offset,
    tooDeep: error instanceof RangeError || message.startsWith('Not enough stack space'),
  }
}

function numberIn(value: unknown, key: string): number | undefined {
  if (typeof value !== 'object' || value === null || !(key in value)) return undefined
  const found: unknown = Reflect.get(value, key)
  return typeof found === 'number' ? found : undefined
}
