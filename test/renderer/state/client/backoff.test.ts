import { expect, it } from 'vitest'
import { reconnectDelay } from '../../../../src/renderer/state/client/backoff.ts'

it('doubles the delay from 250 ms up to 10 s', () => {
  expect([1, 2, 3, 6, 7, 50].map((attempt) => reconnectDelay(attempt, () => 0))).toEqual([
    250, 500, 1000, 8000, 10_000, 10_000,
  ])
})

it('takes off up to a quarter, so that many windows do not come back at once', () => {
  expect(reconnectDelay(3, () => 1)).toBe(750)
})
