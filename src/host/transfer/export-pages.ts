// Hands a file out page by page: as much as a frame takes, however large the file, without ever holding it whole.

import { randomUUID } from 'node:crypto'
import { cutText, HostError, type ExportPage } from '../../shared/index.ts'

/** UTF-16 units of a page: less than 1 MB as UTF-8. */
const PAGE_UNITS = 300_000
/** A client that does not come back for its next page by then has gone. */
const FORGET_MS = 2 * 60_000
const MAX_OPEN = 32

interface OpenExport {
  fileName: string
  parts: Iterator<string>
  /** Read and not handed out yet, from `at` on. */
  rest: string
  at: number
  timer: NodeJS.Timeout
}

export class ExportPages {
  readonly #open = new Map<string, OpenExport>()
  readonly #forgetMs: number

  constructor(forgetMs = FORGET_MS) {
    this.#forgetMs = forgetMs
  }

  begin(fileName: string, parts: Iterator<string>): ExportPage {
    // The one that nobody has asked about for the longest goes first.
    const [oldest] = this.#open.keys()
    if (this.#open.size >= MAX_OPEN && oldest !== undefined) this.#forget(oldest)
    return this.#page({ fileName, parts, rest: '', at: 0, timer: setTimeout(() => undefined, 0) })
  }

  /** Throws NOT_FOUND for a cursor that was used or has been forgotten. */
  next(cursor: string): ExportPage {
    const open = this.#open.get(cursor)
    if (open === undefined)
      throw new HostError({
        code: 'NOT_FOUND',
        message: 'This export is not going on any more: its page was taken already or asked for too late. Begin anew',
      })
    this.#forget(cursor)
    return this.#page(open)
  }

  #page(open: OpenExport): ExportPage {
    clearTimeout(open.timer)
    const { fileName } = open
    const pieces: string[] = []
    for (let room = PAGE_UNITS; room > 0;) {
      if (open.at >= open.rest.length) {
        const part = open.parts.next()
        if (part.done === true) return { fileName, text: pieces.join(''), cursor: null }
        open.rest = part.value
        open.at = 0
      }
      // A pair of surrogates stays together, unless it is all that there is room for.
      const piece = cutText(open.rest.slice(open.at, open.at + room + 1), room)
      if (piece === '') break
      pieces.push(piece)
      open.at += piece.length
      room -= piece.length
    }
    const cursor = randomUUID()
    open.timer = setTimeout(() => this.#forget(cursor), this.#forgetMs).unref()
    this.#open.set(cursor, open)
    return { fileName, text: pieces.join(''), cursor }
  }

  #forget(cursor: string): void {
    clearTimeout(this.#open.get(cursor)?.timer)
    this.#open.delete(cursor)
  }
}
