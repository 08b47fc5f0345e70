// A run's return value for people: text as text, anything else as indented JSON.

import type { JsonValue } from '../../shared/index.ts'
import { escapeBlock } from './text.ts'

/**
 * The whole value with a line end. On a terminal control characters are shown as escapes; a pipe gets every byte.
 */
export function renderResult(value: JsonValue, isTty: boolean): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  const shown = isTty ? escapeBlock(text) : text
  return shown.endsWith('\n') ? shown : `${shown}\n`
}

/** At most `lines` lines of it, and a line that says how many were left out. */
export function renderResultHead(value: JsonValue, isTty: boolean, lines: number): string {
  const all = renderResult(value, isTty).trimEnd().split('\n')
  if (all.length <= lines + 1) return `${all.join('\n')}\n`
  return `${all.slice(0, lines).join('\n')}\n… ${all.length - lines} more lines (all of it with --json)\n`
}
