import { availableParallelism } from 'node:os'
import { describe, expect, test } from 'vitest'
import type { EngineOptions, StartRunOptions } from '../../../src/engine/index.ts'
import { readSettings } from '../../../src/engine/run/settings.ts'

// Only the numbers are read.
const read = (run: Partial<StartRunOptions>) => readSettings({} as EngineOptions, run as StartRunOptions)

describe('the settings of a run', () => {
  test('are the documented ones where nothing is said', () => {
    expect(read({})).toEqual({
      maxConcurrentAgents: Math.min(16, Math.max(1, availableParallelism() - 2)),
      maxAgents: 1000,
      budgetTokens: null,
      structuredOutputRetries: 5,
      agentRetries: 2,
      stallSeconds: 600,
      cancelGraceMs: 5000,
    })
  })

  test('may have from 1 to 256 agents at once', () => {
    expect([1, 256].map((n) => read({ maxConcurrentAgents: n }).maxConcurrentAgents)).toEqual([1, 256])
  })

  test.each([
    [{ maxConcurrentAgents: 0 }, 'maxConcurrentAgents has to be a whole number, from 1 to 256, got 0'],
    [{ maxConcurrentAgents: 257 }, 'maxConcurrentAgents has to be a whole number, from 1 to 256, got 257'],
    [{ maxConcurrentAgents: 1.5 }, 'maxConcurrentAgents has to be a whole number, from 1 to 256, got 1.5'],
    [{ maxAgents: 0 }, 'maxAgents has to be a whole number, 1 or more, got 0'],
    [{ budgetTokens: 0 }, 'budgetTokens has to be a whole number, 1 or more, got 0'],
    [{ budgetTokens: Number.NaN }, 'budgetTokens has to be a whole number, 1 or more, got NaN'],
    [{ structuredOutputRetries: -1 }, 'structuredOutputRetries has to be a whole number, 0 or more, got -1'],
    [{ stallSeconds: 0 }, 'stallSeconds has to be a number above 0, got 0'],
  ])('%o are refused, not bent', (given, message) => {
    expect(() => read(given)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT', message }))
  })
})
