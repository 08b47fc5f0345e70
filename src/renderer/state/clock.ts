// The one clock that all ticking displays share. It runs only while someone looks.

export interface Clock {
  /** Milliseconds since the epoch, as of the last tick: the same for a second, or React would draw what shows it without end. */
  now(): number
  /** Called once a second. Returns the function that ends it. */
  onTick(listener: () => void): () => void
}

const TICK_MS = 1000

export function createClock(time: () => number = Date.now): Clock {
  const listeners = new Set<() => void>()
  let now = time()
  let timer: ReturnType<typeof setInterval> | undefined
  const tick = (): void => {
    now = time()
    for (const listener of listeners) listener()
  }
  return {
    now() {
      // Without a running timer the last tick may be long ago.
      if (timer === undefined && time() - now >= TICK_MS) now = time()
      return now
    },
    onTick(listener) {
      listeners.add(listener)
      timer ??= setInterval(tick, TICK_MS)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0 || timer === undefined) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}
