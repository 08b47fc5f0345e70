import { describe, expect, it } from 'vitest'
import { exitCodeOf } from '../../src/cli/exit-codes.ts'

const plain = { allowFailures: false, interrupted: false }

describe('exitCodeOf', () => {
  it('gives each outcome its own code', () => {
    expect({
      completed: exitCodeOf({ outcome: 'completed', degraded: false }, plain),
      degraded: exitCodeOf({ outcome: 'completed', degraded: true }, plain),
      allowed: exitCodeOf({ outcome: 'completed', degraded: true }, { ...plain, allowFailures: true }),
      error: exitCodeOf({ outcome: 'error', degraded: false }, plain),
      errorAllowed: exitCodeOf({ outcome: 'error', degraded: true }, { ...plain, allowFailures: true }),
      elsewhere: exitCodeOf({ outcome: 'cancelled', degraded: false }, plain),
      here: exitCodeOf({ outcome: 'cancelled', degraded: false }, { ...plain, interrupted: true }),
      finishedFirst: exitCodeOf({ outcome: 'completed', degraded: false }, { ...plain, interrupted: true }),
      paused: exitCodeOf({ outcome: 'paused', degraded: false }, plain),
      lost: exitCodeOf({ outcome: 'interrupted', degraded: false }, plain),
    }).toEqual({
      completed: 0,
      degraded: 3,
      allowed: 0,
      error: 1,
      errorAllowed: 1,
      elsewhere: 4,
      here: 130,
      finishedFirst: 0,
      paused: 5,
      lost: 1,
    })
  })
})
