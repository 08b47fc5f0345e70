import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLinger } from '../../src/main/linger.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const MINUTE = 60_000

test('an app that is idle for ten minutes ends, however often it is told', () => {
  const end = vi.fn()
  const linger = createLinger(end)
  linger(true)
  vi.advanceTimersByTime(9 * MINUTE)
  linger(true)
  expect(end).not.toHaveBeenCalled()
  vi.advanceTimersByTime(MINUTE)
  expect(end).toHaveBeenCalledTimes(1)
})

test('a window or a run within that time keeps it', () => {
  const end = vi.fn()
  const linger = createLinger(end)
  linger(true)
  linger(false)
  vi.advanceTimersByTime(60 * MINUTE)
  expect(end).not.toHaveBeenCalled()
})
