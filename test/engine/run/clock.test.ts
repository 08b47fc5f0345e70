import { describe, expect, test, vi } from 'vitest'
import { createVirtualClock, systemClock } from '../../../src/engine/index.ts'

describe('the system clock', () => {
  test('sleeps longer than a timer can, instead of waking at once', async () => {
    vi.useFakeTimers()
    try {
      const month = 30 * 24 * 3_600_000
      let awake = false
      void systemClock.sleep(month).then(() => {
        awake = true
      })
      await vi.advanceTimersByTimeAsync(month - 1)
      expect(awake).toBe(false)
      await vi.advanceTimersByTimeAsync(1)
      expect(awake).toBe(true)
    } finally {
      vi.useRealTimers()
    }
  })

  test('wakes at once when its signal aborts, and leaves no timer behind', async () => {
    vi.useFakeTimers()
    try {
      const stop = new AbortController()
      const slept = systemClock.sleep(60_000, stop.signal)
      stop.abort()
      await slept
      expect(vi.getTimerCount()).toBe(0)
      await systemClock.sleep(60_000, stop.signal)
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('the virtual clock', () => {
  test('wakes sleepers in the order of their times, equal ones in the order of their coming', async () => {
    const clock = createVirtualClock(1000)
    const woken: [string, number][] = []
    const sleep = async (name: string, ms: number): Promise<void> => {
      await clock.sleep(ms)
      woken.push([name, clock.now()])
    }
    await Promise.all([sleep('c', 30), sleep('a', 10), sleep('b1', 20), sleep('b2', 20)])
    expect(woken).toEqual([
      ['a', 1010],
      ['b1', 1020],
      ['b2', 1020],
      ['c', 1030],
    ])
  })

  test('stands still while it is held, by however many', async () => {
    const clock = createVirtualClock(0)
    const releases = [clock.hold(), clock.hold()]
    let woken = false
    const slept = clock.sleep(5).then(() => {
      woken = true
    })
    for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve))
    releases[0]?.()
    releases[0]?.()
    for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve))
    expect([woken, clock.now()]).toEqual([false, 0])
    releases[1]?.()
    await slept
    expect(clock.now()).toBe(5)
  })

  test('a sleeper that is woken early does not move it', async () => {
    const clock = createVirtualClock(0)
    const stop = new AbortController()
    const release = clock.hold()
    const early = clock.sleep(100, stop.signal)
    const late = clock.sleep(10)
    stop.abort()
    await early
    release()
    await late
    expect(clock.now()).toBe(10)
  })
})
