// One client's view of one run's events: what is stored from a sequence number on, then what is stored next, in order,
// each once. It only remembers the next number it owes; what it can't hold is read from the store again.

import type { RunEvent } from '../../shared/index.ts'

/** One frame of a display. */
const FRAME_MS = 16
const CONGESTED_MS = 50
const PAGE = 1000
/** Live events kept for a client that does not take them yet; beyond, they are read from the store later. */
const MAX_HELD = 2000

export interface RunWatchOptions {
  fromSeq: number
  /** The highest stored number now. */
  lastSeq: number
  /** Stored events from `fromSeq` on, at most `limit`. */
  read(fromSeq: number, limit: number): RunEvent[]
  deliver(events: RunEvent[]): void
  /** True while the client takes nothing more. */
  isCongested(): boolean
  onError(error: unknown): void
}

export class RunWatch {
  readonly #options: RunWatchOptions
  #next: number
  #stored: number
  #held: RunEvent[] = []
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: RunWatchOptions) {
    this.#options = options
    this.#next = options.fromSeq
    this.#stored = options.lastSeq
    // Not at once: whoever asked hears the answer to that before the first events.
    if (this.#owes()) this.#schedule(0)
  }

  /** Events that were just stored. */
  push(events: readonly RunEvent[]): void {
    const last = events.at(-1)
    if (this.#closed || last === undefined || last.seq <= this.#stored) return
    this.#stored = last.seq
    if (this.#held.length + events.length <= MAX_HELD) this.#hold(events)
    else this.#held = []
    if (this.#owes()) this.#schedule(FRAME_MS)
  }

  /** Delivers at once what is owed, congested or not. */
  drain(): void {
    while (!this.#closed && this.#owes()) this.#deliverSome()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#held = []
  }

  #hold(events: readonly RunEvent[]): void {
    const last = this.#held.at(-1)
    // Held events are one unbroken row, or they are of no use.
    if (last !== undefined && events[0]?.seq !== last.seq + 1) this.#held = []
    this.#held.push(...events)
  }

  #owes(): boolean {
    return this.#next <= this.#stored
  }

  #schedule(ms: number): void {
    if (this.#timer !== undefined || this.#closed) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#turn()
    }, ms)
  }

  #turn(): void {
    if (!this.#owes()) return
    if (this.#options.isCongested()) {
      this.#schedule(CONGESTED_MS)
      return
    }
    this.#deliverSome()
    if (this.#owes()) this.#schedule(0)
  }

  #deliverSome(): void {
    try {
      const events = this.#take()
      const last = events.at(-1)
      if (last === undefined) throw new Error(`the store has no event ${this.#next}, though ${this.#stored} is stored`)
      this.#next = last.seq + 1
      this.#options.deliver(events)
    } catch (error) {
      // Going on would leave a gap; the client sees an end of news and may ask again.
      this.close()
      this.#options.onError(error)
    }
  }

  #take(): RunEvent[] {
    const first = this.#held[0]
    if (first !== undefined && first.seq <= this.#next) {
      const events = this.#held.slice(this.#next - first.seq)
      this.#held = []
      if (events.length > 0) return events
    }
    return this.#options.read(this.#next, PAGE)
  }
}
