// Newline-delimited frames out of a byte stream: characters split over chunks, CRLF, empty lines, and lines without an end.

/** What a host takes as one frame. */
export const MAX_FRAME_BYTES = 16 * 1024 * 1024

const NEWLINE = 10

export interface LineSplitterOptions {
  maxBytes: number
  onLine: (text: string) => void
  /** Once for each line above the limit; the rest of that line is skipped. */
  onTooLong: () => void
  /** A line of more than four times the limit: framing is lost. */
  onFlood: () => void
}

export class LineSplitter {
  readonly #options: LineSplitterOptions
  #parts: Buffer[] = []
  #bytes = 0
  #flooded = false

  constructor(options: LineSplitterOptions) {
    this.#options = options
  }

  push(chunk: Buffer): void {
    let start = 0
    while (start < chunk.length && !this.#flooded) {
      const end = chunk.indexOf(NEWLINE, start)
      this.#add(chunk.subarray(start, end < 0 ? undefined : end))
      if (end < 0) return
      this.#finish()
      start = end + 1
    }
  }

  #add(part: Buffer): void {
    const { maxBytes, onTooLong, onFlood } = this.#options
    const before = this.#bytes
    this.#bytes += part.length
    if (this.#bytes <= maxBytes) {
      if (part.length > 0) this.#parts.push(part)
      return
    }
    this.#parts = []
    if (before <= maxBytes) onTooLong()
    if (this.#bytes > maxBytes * 4) {
      this.#flooded = true
      onFlood()
    }
  }

  #finish(): void {
    const complete = this.#bytes <= this.#options.maxBytes
    const line = complete ? Buffer.concat(this.#parts).toString('utf8').replace(/\r$/, '') : ''
    this.#parts = []
    this.#bytes = 0
    if (line !== '') this.#options.onLine(line)
  }
}
