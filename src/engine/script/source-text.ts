// A script's text with its lines: offsets become the line and column that an editor shows for the file as written.

import type { Diagnostic, SourcePosition, SourceRange } from '../../shared/index.ts'
import { cutText } from '../../shared/lib/text.ts'

const BYTE_ORDER_MARK = '\uFEFF'
/** A message may quote the script, and what it quotes may be a regular expression of a megabyte. */
const MESSAGE_UNITS = 1000

export class SourceText {
  readonly text: string
  readonly fileName: string
  readonly #lineStarts: number[] = [0]

  constructor(text: string, fileName: string) {
    this.text = text
    this.fileName = fileName
    // Only these end a line in an editor; U+2028 and U+2029 don't, although JavaScript counts them.
    const ends = /\r\n|[\n\r]/g
    for (let match = ends.exec(this.text); match !== null; match = ends.exec(this.text)) {
      this.#lineStarts.push(match.index + match[0].length)
    }
  }

  /** Of a file as read: editors don't count its byte order mark as a column, so offsets don't either. */
  static ofFile(text: string, fileName: string): SourceText {
    return new SourceText(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text, fileName)
  }

  get lineCount(): number {
    return this.#lineStarts.length
  }

  /** Line and column, from 1, of an offset; offsets beyond the text are taken for its end. */
  position(offset: number): SourcePosition {
    let wanted = Math.max(0, Math.min(offset, this.text.length))
    // Between the two halves of a line end there is no column.
    if (this.text[wanted] === '\n' && this.text[wanted - 1] === '\r') wanted--
    let low = 0
    let high = this.#lineStarts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#lineStarts[middle] ?? 0) <= wanted) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: wanted - (this.#lineStarts[low] ?? 0) + 1 }
  }

  range(start: number, end: number): SourceRange {
    const from = this.position(start)
    const to = this.position(Math.max(start, end))
    return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column }
  }

  /** The offset at which a line (from 1) begins. */
  lineStart(line: number): number {
    return this.#lineStarts[Math.max(0, Math.min(line, this.#lineStarts.length) - 1)] ?? 0
  }

  /** A line's text without its end. */
  lineText(line: number): string {
    let end = line < this.#lineStarts.length ? this.lineStart(line + 1) : this.text.length
    while (end > this.lineStart(line) && /[\r\n]/.test(this.text[end - 1] ?? '')) end--
    return this.text.slice(this.lineStart(line), end)
  }

  /** `3:11`, for messages. */
  describe(offset: number): string {
    const { line, column } = this.position(offset)
    return `${line}:${column}`
  }
}

export interface Finding {
  severity: Diagnostic['severity']
  code: string
  message: string
  start: number
  end: number
  hint?: string | undefined
  fix?: { title: string; start: number; end: number; text: string } | undefined
}

/** Findings are made with offsets; this gives them the positions that people see. */
export function toDiagnostic(source: SourceText, finding: Finding): Diagnostic {
  const { severity, code, message, start, end, hint, fix } = finding
  return {
    ...source.range(start, end),
    severity,
    code,
    message: message.length > MESSAGE_UNITS ? `${cutText(message, MESSAGE_UNITS)}…` : message,
    ...(hint !== undefined && { hint }),
    ...(fix !== undefined && {
      fix: { title: fix.title, range: source.range(fix.start, fix.end), text: fix.text },
    }),
  }
}
