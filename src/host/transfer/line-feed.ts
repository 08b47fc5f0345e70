// Cuts text that comes in pieces into lines, with limits on what one line and the whole may take.

import { HostError } from '../../shared/index.ts'

export interface FeedLimits {
  /** UTF-16 units. */
  line: number
  total: number
  /** Values in the whole: a short text can stand for a great many of them. */
  values: number
}

/** Result and script of 100 MB fit; what a parsed value takes is many times its text at worst. */
export const IMPORT_LIMITS: FeedLimits = { line: 200_000_000, total: 400_000_000, values: 8_000_000 }

export class LineFeed {
  readonly #limits: FeedLimits
  readonly #take: (line: string, number: number) => void
  #pieces: string[] = []
  #pending = 0
  #lines = 0
  #values = 0
  units = 0

  constructor(limits: FeedLimits, take: (line: string, number: number) => void) {
    this.#limits = limits
    this.#take = take
  }

  /** Throws BAD_REQUEST when a limit is passed. */
  push(text: string): void {
    this.units += text.length
    if (this.units > this.#limits.total) throw tooMuch(`the file has more than ${inWords(this.#limits.total)}`)
    for (let from = 0; from < text.length;) {
      const end = text.indexOf('\n', from)
      const piece = text.slice(from, end === -1 ? undefined : end)
      this.#pending += piece.length
      if (this.#pending > this.#limits.line)
        throw tooMuch(`line ${this.#lines + 1} has more than ${inWords(this.#limits.line)}`)
      this.#pieces.push(piece)
      if (end === -1) return
      this.#flush()
      from = end + 1
    }
  }

  /** The last line may lack its end. */
  end(): void {
    if (this.#pending > 0) this.#flush()
  }

  #flush(): void {
    const line = this.#pieces.join('').replace(/\r$/, '')
    this.#pieces = []
    this.#pending = 0
    this.#lines++
    this.#values += countValues(line)
    if (this.#values > this.#limits.values)
      throw tooMuch(`the file holds more than ${this.#limits.values.toLocaleString('en-US')} values`)
    if (line !== '') this.#take(line, this.#lines)
  }
}

/** About how many values JSON text stands for: what separates them, outside of strings. */
export function countValues(json: string): number {
  let count = 1
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i)
    if (code === 0x22) {
      // To the end of the string: the next quote that an even number of backslashes stands before.
      for (i = json.indexOf('"', i + 1); i !== -1 && isEscaped(json, i);) i = json.indexOf('"', i + 1)
      if (i === -1) return count
    } else if (code === 0x2c || code === 0x5b || code === 0x7b) count++
  }
  return count
}

function isEscaped(text: string, quote: number): boolean {
  let before = quote
  while (text.charCodeAt(before - 1) === 0x5c) before--
  return (quote - before) % 2 === 1
}

function tooMuch(what: string): HostError {
  const violation = `${what}: nothing of it was imported`
  return new HostError({
    code: 'BAD_REQUEST',
    message: `The import was refused: ${violation}`,
    violations: [violation],
  })
}

const inWords = (units: number): string => `${units.toLocaleString('en-US')} characters`
