// Whether a run is paused, by whom, and until when. While it is, nobody gets a permit; what runs goes on.

import type { Clock } from '../ports.ts'
import type { EventLog } from './event-log.ts'
import type { RunPermits } from './permits.ts'

export class RunPause {
  readonly #log: EventLog
  readonly #permits: RunPermits
  readonly #clock: Clock
  #by: 'user' | 'limit' | undefined
  #continued = 0
  #end = new AbortController()

  constructor(log: EventLog, permits: RunPermits, clock: Clock) {
    this.#log = log
    this.#permits = permits
    this.#clock = clock
  }

  get paused(): boolean {
    return this.#by !== undefined
  }

  /** How often the run was continued: what began before the last time says nothing about the state of things now. */
  get continued(): number {
    return this.#continued
  }

  /** A user's pause stands until the user ends it; one by a limit ends by itself at `until` (ms since the epoch). */
  pause(by: 'user' | 'limit', reason: string, until?: number): void {
    if (this.#by === by || this.#by === 'user') return
    if (this.#by === undefined) this.#end = new AbortController()
    this.#by = by
    this.#permits.open = false
    this.#log.emit('run-paused', { by, reason, ...(until !== undefined && { until }) })
    if (by === 'limit' && until !== undefined) void this.#continueAt(until, this.#end.signal)
  }

  continue(by: 'user' | 'limit'): void {
    if (this.#by === undefined) return
    if (by === 'limit' && this.#by === 'user') return
    this.#by = undefined
    this.#continued++
    this.#log.emit('run-continued', { by })
    this.#end.abort('continued')
    this.#permits.open = true
  }

  /** Resolves when the run goes on, or when the signal aborts. */
  async waitUntilContinued(signal: AbortSignal): Promise<void> {
    const { signal: continued } = this.#end
    if (!this.paused || continued.aborted || signal.aborted) return
    await new Promise<void>((resolve) => {
      continued.addEventListener('abort', () => resolve(), { once: true })
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }

  /** The run is over: nobody is waited for any more. */
  close(): void {
    this.#end.abort('continued')
  }

  async #continueAt(until: number, ended: AbortSignal): Promise<void> {
    await this.#clock.sleep(until - this.#clock.now(), ended)
    if (!ended.aborted) this.continue('limit')
  }
}
