// A clock that a test moves by hand. Unlike the virtual one it is not virtual to the engine: stalls are watched for.

import type { Clock } from '../../../src/engine/index.ts'

export interface ManualClock extends Clock {
  /** Moves on and wakes who is due, earliest first, letting all jobs run dry after each. */
  advance(ms: number): Promise<void>
  /** How many are asleep. */
  readonly sleeping: number
}

export function createManualClock(startMs = 1_700_000_000_000): ManualClock {
  let now = startMs
  const sleepers = new Set<{ due: number; wake(): void }>()
  const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

  return {
    virtual: false,
    now: () => now,
    hold: () => () => undefined,
    get sleeping() {
      return sleepers.size
    },
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve()
        const wake = (): void => {
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const sleeper = { due: now + Math.max(0, ms), wake }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', wake, { once: true })
      }),
    async advance(ms) {
      const end = now + ms
      for (;;) {
        await settle()
        const next = [...sleepers].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)[0]
        if (next === undefined) break
        now = Math.max(now, next.due)
        next.wake()
      }
      now = end
      await settle()
    },
  }
}
