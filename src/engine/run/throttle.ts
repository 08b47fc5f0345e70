// How many agents a run keeps at work when its back end says "not so fast": half as many at once, none before the time that
// was named, and one more again with each call that succeeds.

import { plural } from '../../shared/index.ts'
import type { Clock } from '../ports.ts'
import type { EventLog } from './event-log.ts'
import type { RunPermits } from './permits.ts'
import { MAX_RETRY_AFTER_MS } from './retry-policy.ts'

export class Throttle {
  readonly #log: EventLog
  readonly #permits: RunPermits
  readonly #clock: Clock
  readonly #most: number
  readonly #end = new AbortController()
  #lowered = 0
  #blockedUntil = 0
  #told = false

  /** `most` is what the run may have at work when nothing limits it. */
  constructor(log: EventLog, permits: RunPermits, clock: Clock, most: number) {
    this.#log = log
    this.#permits = permits
    this.#clock = clock
    this.#most = most
  }

  /** How often the limit was lowered: attempts that began before the last time say nothing about what is allowed now. */
  get lowered(): number {
    return this.#lowered
  }

  /** An attempt failed because there were too many; `began` is what `lowered` was when it began. */
  limited(backend: string, began: number, retryAt: number | undefined): void {
    if (retryAt !== undefined) this.#block(retryAt)
    if (began !== this.#lowered) return
    this.#lowered++
    this.#permits.limit = Math.max(1, Math.floor(Math.min(this.#permits.limit, this.#permits.inUse) / 2))
    if (this.#told) return
    this.#told = true
    const agents = plural(this.#permits.limit, 'agent')
    const message = `back end ${backend} limits how fast it is asked: ${agents} at once for now, one more with each success`
    this.#log.emit('warning', { code: 'backend/rate-limited', message })
  }

  succeeded(began: number): void {
    if (began === this.#lowered && this.#permits.limit < this.#most) this.#permits.limit++
  }

  /** The run is over: nothing is waited for any more. */
  close(): void {
    this.#end.abort('ended')
  }

  /** Siblings would only be refused as well, and use up their attempts. */
  #block(retryAt: number): void {
    const now = this.#clock.now()
    const until = Math.min(retryAt, now + MAX_RETRY_AFTER_MS)
    if (until <= Math.max(now, this.#blockedUntil)) return
    this.#blockedUntil = until
    this.#permits.blocked = true
    void this.#unblockAt(until)
  }

  async #unblockAt(until: number): Promise<void> {
    await this.#clock.sleep(until - this.#clock.now(), this.#end.signal)
    if (!this.#end.signal.aborted && this.#blockedUntil === until) this.#permits.blocked = false
  }
}
