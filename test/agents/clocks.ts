// The two kinds of clock a run can have, as small as tests need them.

import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../src/engine/index.ts'

export const realClock: Clock = {
  virtual: false,
  now: () => Date.now(),
  hold: () => () => {},
  async sleep(ms, signal) {
    await delay(ms, undefined, signal && { signal }).catch(() => {})
  },
}

/** Time jumps to the next sleeper as soon as a turn of the event loop passes in which nobody holds it. */
export class TestClock implements Clock {
  readonly virtual = true
  #now = 0
  #holds = 0
  #scheduled = false
  #sleepers: { until: number; wake: () => void }[] = []

  now(): number {
    return this.#now
  }

  hold(): () => void {
    let held = true
    this.#holds++
    return () => {
      if (!held) return
      held = false
      this.#holds--
      this.#schedule()
    }
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) {
        resolve()
        return
      }
      this.#sleepers.push({ until: this.#now + ms, wake: resolve })
      signal?.addEventListener('abort', () => {
        resolve()
      })
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      if (this.#holds > 0) return
      const [next] = this.#sleepers.sort((a, b) => a.until - b.until)
      if (next === undefined) return
      this.#sleepers.shift()
      this.#now = Math.max(this.#now, next.until)
      next.wake()
      this.#schedule()
    })
  }
}
