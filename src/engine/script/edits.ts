// Applies edits to a script's text and records, while it does, where each piece of the new text came from.

import type { PositionMap } from '../engine.ts'
import type { SourceText } from './source-text.ts'

/** Replaces `[start, end)` by `text`; an insertion has `start === end`. Edits must not overlap. */
export interface Edit {
  start: number
  end: number
  text: string
}

/** What ends a line for V8, which counts the lines in stack traces. */
const V8_LINE_END = /\r\n|[\n\r\u2028\u2029]/g

/** `prefix` stands before the text on its first line, `suffix` after it. */
export function applyEdits(
  source: SourceText,
  edits: readonly Edit[],
  prefix: string,
  suffix: string,
): { code: string; positions: PositionMap } {
  const ordered = [...edits].sort((a, b) => a.start - b.start || a.end - b.end)
  const output = new Output(source)
  output.insert(prefix, 0)
  let offset = 0
  for (const edit of ordered) {
    // Two passes may want the same escape; the first one has done it.
    if (edit.start < offset) continue
    output.copy(offset, edit.start)
    output.insert(edit.text, edit.start)
    offset = edit.end
  }
  output.copy(offset, source.text.length)
  output.insert(suffix, source.text.length)
  return { code: output.code(), positions: output.positions() }
}

interface LineEntry {
  line: number
  written: number
  shifts: [number, number][]
}

class Output {
  readonly #source: SourceText
  readonly #pieces: string[] = []
  readonly #lines: LineEntry[] = []
  #line = 1
  #column = 1

  constructor(source: SourceText) {
    this.#source = source
  }

  code(): string {
    return this.#pieces.join('')
  }

  positions(): PositionMap {
    return this.#lines
      .filter(({ line, written, shifts }) => line !== written || shifts.some(([from, to]) => from !== to))
      .map(({ line, written, shifts }) => (line === written ? { line, shifts } : { line, shifts, written }))
  }

  insert(text: string, at: number): void {
    if (text === '') return
    this.#mark(at)
    this.#advance(text, () => undefined)
  }

  copy(start: number, end: number): void {
    if (start >= end) return
    this.#mark(start)
    this.#advance(this.#source.text.slice(start, end), (passed) => this.#mark(start + passed))
  }

  #advance(text: string, onLine: (passed: number) => void): void {
    this.#pieces.push(text)
    let passed = 0
    for (const match of text.matchAll(V8_LINE_END)) {
      passed = match.index + match[0].length
      this.#line++
      this.#column = 1
      onLine(passed)
    }
    this.#column += text.length - passed
  }

  #mark(offset: number): void {
    const { line: written, column } = this.#source.position(offset)
    const last = this.#lines.at(-1)
    if (last?.line !== this.#line) {
      this.#lines.push({ line: this.#line, written, shifts: [[this.#column, column]] })
      return
    }
    const shift = last.shifts.at(-1)
    // An empty piece between two others: the later one says where the text is from.
    if (shift?.[0] === this.#column) shift[1] = column
    else last.shifts.push([this.#column, column])
  }
}
