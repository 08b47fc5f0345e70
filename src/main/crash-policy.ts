// What to do when a window's page dies: once is reloaded, again soon after asks the user.

const SOON_MS = 60_000

export interface CrashPolicy {
  /** Called for each death of the page. */
  next(): 'reload' | 'ask'
}

/** `now` in milliseconds. */
export function createCrashPolicy(now: () => number): CrashPolicy {
  let last: number | undefined
  return {
    next() {
      const again = last !== undefined && now() - last < SOON_MS
      last = now()
      return again ? 'ask' : 'reload'
    },
  }
}
