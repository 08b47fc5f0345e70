// Agents that say nothing for too long. Only time during which the machine was awake counts: a laptop that slept for an
// hour has not been waiting for its agents.

import type { Clock } from '../ports.ts'

interface Watched {
  quietMs: number
  isWaiting(): boolean
  onStall(): void
}

export interface StallTicket {
  /** Something was heard of it. */
  touch(): void
  end(): void
}

/** A reason given saves making an exception for it. */
const CLOSED = 'closed'
const SLICES = 20
const MAX_SLICE_MS = 5000

export class StallWatch {
  readonly #clock: Clock
  readonly #stallMs: number
  readonly #watched = new Set<Watched>()
  readonly #closed = new AbortController()
  #running = false

  constructor(clock: Clock, stallSeconds: number) {
    this.#clock = clock
    this.#stallMs = stallSeconds * 1000
  }

  /**
   * Calls `onStall` once, unless touched or ended in time. While `isWaiting` (for a person), silence does not count.
   * In virtual time nothing ever stalls.
   */
  watch(isWaiting: () => boolean, onStall: () => void): StallTicket {
    const watched: Watched = { quietMs: 0, isWaiting, onStall }
    this.#watched.add(watched)
    if (!this.#running && !this.#clock.virtual) void this.#run()
    return {
      touch: () => {
        watched.quietMs = 0
      },
      end: () => void this.#watched.delete(watched),
    }
  }

  /** The run is over. */
  close(): void {
    this.#watched.clear()
    this.#closed.abort(CLOSED)
  }

  /** One loop for all agents; it ends at the first look that finds none. */
  async #run(): Promise<void> {
    this.#running = true
    const slice = Math.max(1, Math.min(MAX_SLICE_MS, this.#stallMs / SLICES))
    while (this.#watched.size > 0) {
      const before = this.#clock.now()
      await this.#clock.sleep(slice, this.#closed.signal)
      // A sleep that took far longer than asked for was the machine's own.
      this.#advance(Math.min(this.#clock.now() - before, 2 * slice))
    }
    this.#running = false
  }

  #advance(awakeMs: number): void {
    for (const watched of this.#watched) {
      watched.quietMs = watched.isWaiting() ? 0 : watched.quietMs + awakeMs
      if (watched.quietMs < this.#stallMs) continue
      this.#watched.delete(watched)
      watched.onStall()
    }
  }
}
