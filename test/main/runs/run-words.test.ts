import { describe, expect, test } from 'vitest'
import { describeAll, describeEnd, describeLive, describeQuestion, nameOf } from '../../../src/main/runs/run-words.ts'
import { CALLS, makeRow } from '../../support/main/rows.ts'

const ended = { endedAt: 13_400 }

describe('the end of a run', () => {
  test('reads as a success only when it was one', () => {
    expect(describeEnd(makeRow({ ...ended, status: 'completed', calls: { ...CALLS, completed: 3 } }))).toBe(
      'Completed, 3 agents · 12 s',
    )
    const degraded = { status: 'completed', degraded: true, calls: { ...CALLS, completed: 2, failed: 1 } } as const
    expect(describeEnd(makeRow({ ...ended, ...degraded }))).toBe('Completed with failures: 1 failed of 3 agents · 12 s')
  })

  test('counts what was done when it failed or was cancelled', () => {
    const calls = { ...CALLS, completed: 1, failed: 1, cancelled: 1 }
    expect(describeEnd(makeRow({ ...ended, status: 'error', error: 'boom at line 3', calls }))).toBe(
      'Failed: boom at line 3 · 1 completed, 1 failed, 1 cancelled of 3 agents · 12 s',
    )
    expect(describeEnd(makeRow({ ...ended, status: 'cancelled' }))).toBe('Cancelled · 12 s')
  })

  test('says that answers were simulated, and how long it took in words that fit', () => {
    expect(describeEnd(makeRow({ status: 'completed', simulated: true, endedAt: 1_000 + 3_725_000 }))).toBe(
      'Completed, 3 agents · 1 h 2 min · simulated',
    )
    expect(describeEnd(makeRow({ status: 'interrupted', endedAt: 1_000 + 150_000 }))).toBe('Interrupted · 2 min')
  })
})

test('names and questions are cut to what a notification has room for, on one line', () => {
  expect(nameOf(makeRow({ title: `${'long '.repeat(40)}\nname` })).length).toBe(60)
  const question = { request: 'q', agent: 2, title: `Write\n${'x'.repeat(500)}` }
  const text = describeQuestion(makeRow(), question)
  expect(text).toMatch(/^Agent 2 of two-steps asks: Write x+…$/)
  expect(text.length).toBeLessThan(160)
})

test('live runs are told one by one and together', () => {
  const question = { request: 'q', agent: 2, title: 'Write?' }
  const live = [
    { row: makeRow({ status: 'paused' }), questions: [] },
    { row: makeRow({ id: 'r2' }), questions: [question] },
  ]
  expect(live.map(describeLive)).toEqual(['two-steps: paused, 3 agents', 'two-steps: waits for your answer'])
  expect(describeAll(live)).toBe('Weft: 2 live runs, 1 waiting for you')
  expect(describeAll([])).toBe('Weft')
})
