// Text on a terminal: what scripts and agents wrote must not move the cursor, change colours or run backwards.

import sliceAnsi from 'slice-ansi'
import stringWidth from 'string-width'

// C0 and C1 controls, and the marks that reorder text.
// oxlint-disable-next-line no-control-regex -- control characters are what has to be found
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const NAMED: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function escapeOne(character: string): string {
  return NAMED[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** One line: controls and reordering marks shown as escapes, line ends too. */
export function escapeControls(text: string): string {
  return text.replace(UNSAFE, escapeOne)
}

/** Several lines: as `escapeControls`, line ends and tabs kept. */
export function escapeBlock(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(UNSAFE, (c) => (c === '\n' || c === '\t' ? c : escapeOne(c)))
}

/** At most `width` columns, with an ellipsis where something was cut; colours stay balanced. */
export function fitWidth(line: string, width: number): string {
  if (stringWidth(line) <= width) return line
  return width <= 1 ? '…'.slice(0, Math.max(0, width)) : `${sliceAnsi(line, 0, width - 1)}…`
}

/** Padded with spaces to `width` columns. */
export function padWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)))
}
