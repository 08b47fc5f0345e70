import { describe, expect, test } from 'vitest'
import { createRunIds } from '../../../src/host/lib/run-ids.ts'

describe('run ids', () => {
  test('have 26 characters of the ULID alphabet', () => {
    expect(createRunIds().runId()).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
  })

  test('begin with the time of their creation', () => {
    // The ULID specification's own example: 1469918176385 is 01ARYZ6S41.
    expect(
      createRunIds(() => 1469918176385)
        .runId()
        .slice(0, 10),
    ).toBe('01ARYZ6S41')
  })

  test('rise within one millisecond and with a clock that goes back', () => {
    const times = [1000, 1000, 1000, 900, 1001]
    const ids = createRunIds(() => times.shift() ?? 0)
    const made = Array.from({ length: 5 }, () => ids.runId())
    expect(made).toEqual([...made].sort())
    expect(new Set(made).size).toBe(5)
  })

  test('of two sources differ in the same millisecond', () => {
    expect(createRunIds(() => 5).runId()).not.toBe(createRunIds(() => 5).runId())
  })
})
