// Time for runs: the machine's own, or a virtual one that only passes while nobody is at work.

import type { Clock } from '../ports.ts'

/** `setTimeout` takes no longer delay than this; a longer one would fire at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  virtual: false,
  now: () => Date.now(),
  hold: () => () => undefined,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve()
      let left = Math.max(0, ms)
      let timer: NodeJS.Timeout
      const end = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const next = (): void => {
        const slice = Math.min(left, MAX_TIMEOUT_MS)
        left -= slice
        timer = setTimeout(left > 0 ? next : end, slice)
      }
      signal?.addEventListener('abort', end, { once: true })
      next()
    }),
}

interface Sleeper {
  due: number
  wake(): void
}

/**
 * A clock that begins at `startMs` and jumps to its earliest sleeper once all jobs of a turn have run dry and nobody holds
 * it. Sleepers that are due at the same time wake in the order in which they went to sleep.
 */
export function createVirtualClock(startMs: number): Clock {
  let now = startMs
  let holds = 0
  let scheduled = false
  // Ascending by due time; equal ones in order of arrival.
  const sleepers: Sleeper[] = []

  const schedule = (): void => {
    if (scheduled || holds > 0 || sleepers.length === 0) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      if (holds > 0) return
      const due = sleepers[0]?.due
      if (due === undefined) return
      now = Math.max(now, due)
      while (sleepers[0]?.due === due) sleepers.shift()?.wake()
      schedule()
    })
  }

  const insert = (sleeper: Sleeper): void => {
    let low = 0
    let high = sleepers.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sleepers[middle]?.due ?? Number.POSITIVE_INFINITY) <= sleeper.due) low = middle + 1
      else high = middle
    }
    sleepers.splice(low, 0, sleeper)
  }

  return {
    virtual: true,
    now: () => now,
    hold: () => {
      holds++
      let held = true
      return () => {
        if (!held) return
        held = false
        holds--
        schedule()
      }
    },
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve()
        const sleeper: Sleeper = {
          due: now + Math.max(0, ms),
          wake: () => {
            signal?.removeEventListener('abort', leave)
            resolve()
          },
        }
        const leave = (): void => {
          const index = sleepers.indexOf(sleeper)
          if (index >= 0) sleepers.splice(index, 1)
          resolve()
        }
        signal?.addEventListener('abort', leave, { once: true })
        insert(sleeper)
        schedule()
      }),
  }
}
