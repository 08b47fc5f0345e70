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

const SLICES = 20
const MAX_SLICE_MS = 5000

export class StallWatch {
  readonly #clock: Clock
  readonly #stallMs: number
  readonly #watched = new Set<Watched>()
  #stop: AbortController | undefined

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
    if (this.#stop === undefined && !this.#clock.virtual) void this.#run()
    return {
      touch: () => {
        watched.quietMs = 0
      },
      end: () => {
        this.#watched.delete(watched)
        if (this.#watched.size === 0) this.#stop?.abort()
      },
    }
  }

  async #run(): Promise<void> {
    const stop = new AbortController()
    this.#stop = stop
    const slice = Math.max(1, Math.min(MAX_SLICE_MS, this.#stallMs / SLICES))
    while (!stop.signal.aborted) {
      const before = this.#clock.now()
      await this.#clock.sleep(slice, stop.signal)
      if (stop.signal.aborted) break
      // A sleep that took far longer than asked for was the machine's own.
      this.#advance(Math.min(this.#clock.now() - before, 2 * slice))
    }
    if (this.#stop === stop) this.#stop = undefined
    if (this.#watched.size > 0 && this.#stop === undefined) void this.#run()
  }

  #advance(awakeMs: number): void {
    for (const watched of this.#watched) {
      watched.quietMs = watched.isWaiting() ? 0 : watched.quietMs + awakeMs
      if (watched.quietMs < this.#stallMs) continue
      this.#watched.delete(watched)
      watched.onStall()
    }
    if (this.#watched.size === 0) this.#stop?.abort()
  }
}
