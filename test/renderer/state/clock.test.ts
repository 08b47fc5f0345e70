import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createClock } from '../../../src/renderer/state/clock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('ticks once a second for all who look, and stops with the last one', () => {
  const clock = createClock()
  const ticks: string[] = []
  const endFirst = clock.onTick(() => ticks.push('first'))
  const endSecond = clock.onTick(() => ticks.push('second'))
  vi.advanceTimersByTime(1000)
  endFirst()
  vi.advanceTimersByTime(1000)
  endSecond()
  expect(vi.getTimerCount()).toBe(0)
  expect(ticks).toEqual(['first', 'second', 'second'])
})

it('tells the same time to all until the next tick, and to within a second when nobody looks', () => {
  const clock = createClock()
  const start = Date.now()
  vi.advanceTimersByTime(2500)
  expect(clock.now()).toBe(start + 2500)
  // Asked again a moment later it says the same: a text made from it must not differ from one draw to the next.
  vi.advanceTimersByTime(3)
  expect(clock.now()).toBe(start + 2500)
  const end = clock.onTick(() => {})
  vi.advanceTimersByTime(600)
  expect(clock.now()).toBe(start + 2500)
  vi.advanceTimersByTime(400)
  expect(clock.now()).toBe(start + 3503)
  end()
})
