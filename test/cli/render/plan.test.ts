import { describe, expect, it } from 'vitest'
import { asAgentNumber, type DryRunPlan } from '../../../src/shared/index.ts'
import { renderPlan } from '../../../src/cli/render/plan.ts'
import { RUN_ID } from '../../support/shared/events.ts'
import { fold, nestedRun, plainStyle } from './sample-runs.ts'

const place = { width: Infinity, cwd: '/w' }

const plan: DryRunPlan = {
  phases: [
    { title: null, group: 0, agents: 1, startMs: 0, endMs: 3000 },
    { title: 'Look', group: 1, agents: 12, startMs: 3000, endMs: 34_000 },
  ],
  peakConcurrency: 4,
  longestPath: [
    { agent: asAgentNumber(1), label: 'scout', startMs: 0, endMs: 3000 },
    { agent: asAgentNumber(9), label: 'verify\u0007', startMs: 3000, endMs: 34_000 },
  ],
  estimate: {
    wallClockMs: 34_000,
    outputTokens: 12_400,
    inputTokens: 3000,
    costUsd: null,
    basis: 'history',
    runs: 3,
  },
  unreached: [
    { what: 'agent', line: 12, column: 9, endLine: 12, endColumn: 14 },
    { what: 'agent', line: 3, column: 1, endLine: 3, endColumn: 6, file: '/w/workflows/inner.js' },
  ],
}

describe('renderPlan', () => {
  it('shows phases, concurrency, the longest path, the estimate and what was never reached', () => {
    expect(renderPlan(plan, fold(nestedRun()), plainStyle, place)).toEqual([
      'Phase          Agents  From  To',
      '(no phase)     1       0ms   3.0s',
      '▸ inner: Look  12      3.0s  34s',
      'At most 4 agents at once',
      'Longest path scout → verify\\u0007 (34s)',
      'Estimate 34s, 12,400 output and 3,000 input tokens, cost unknown (from 3 earlier runs)',
      'Not reached agent at sample.js:12:9',
      'Not reached agent at workflows/inner.js:3:1',
    ])
  })

  it('shows whence answers came and what agents ask leave for, the first of many', () => {
    const ask = (title: string) => ({ agent: asAgentNumber(1), label: 'scout', title, answer: 'allow-once' as const })
    const full: DryRunPlan = {
      ...plan,
      unreached: [],
      answers: { fromRun: RUN_ID, calls: 1 },
      permissions: [ask('rm\u0007'), ...Array.from({ length: 11 }, () => ask('ls'))],
    }
    const lines = renderPlan(full, fold(nestedRun()), plainStyle, place).slice(6)
    expect(lines).toEqual([
      `Answers 1 of 1 from run ${RUN_ID}`,
      'Permission scout asks: rm\\u0007 (allow-once by policy)',
      ...Array.from({ length: 9 }, () => 'Permission scout asks: ls (allow-once by policy)'),
      'Permission … 2 more',
    ])
  })

  it('says so when there is nothing to plan', () => {
    const empty: DryRunPlan = {
      phases: [],
      peakConcurrency: 0,
      longestPath: [],
      estimate: { wallClockMs: 0, outputTokens: 0, inputTokens: 0, costUsd: 0.5, basis: 'default', runs: 0 },
      unreached: [],
    }
    expect(renderPlan(empty, fold(nestedRun()), plainStyle, place)).toEqual([
      'Plan no agents',
      'At most 0 agents at once',
      'Estimate 0ms, 0 output and 0 input tokens, $0.50 (from default figures)',
    ])
  })
})
