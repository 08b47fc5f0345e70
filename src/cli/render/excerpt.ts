// A source line with a caret under the place that is meant, as compilers show it.

import stringWidth from 'string-width'
import type { SourceRange } from '../../shared/index.ts'
import { escapeControls } from './text.ts'

const CONTEXT = 60

/**
 * Two lines: the source line (a window around the place when it is long) and the carets under it.
 * Empty when the text has no such line.
 */
export function renderExcerpt(text: string, range: SourceRange): string[] {
  const source = text.split(/\r\n|[\n\r\u2028\u2029]/)[range.line - 1]
  if (source === undefined) return []
  const start = Math.min(range.column - 1, source.length)
  const end = range.endLine === range.line ? Math.max(range.endColumn - 1, start + 1) : source.length
  const from = start > CONTEXT ? start - CONTEXT / 2 : 0
  const to = Math.max(start + CONTEXT, 2 * CONTEXT - (start - from))
  const before = `${from > 0 ? '…' : ''}${escapeControls(source.slice(from, start).replaceAll('\t', ' '))}`
  const marked = escapeControls(source.slice(start, Math.min(end, to)).replaceAll('\t', ' '))
  const after = escapeControls(source.slice(Math.min(end, to), to).replaceAll('\t', ' '))
  const gutter = `${range.line} | `
  const carets = '^'.repeat(Math.max(1, stringWidth(marked)))
  return [
    `${gutter}${before}${marked}${after}${source.length > to ? '…' : ''}`,
    `${' '.repeat(gutter.length - 2)}| ${' '.repeat(stringWidth(before))}${carets}`,
  ]
}
