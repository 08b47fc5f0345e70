import { describe, expect, it } from 'vitest'
import { asAgentNumber, EMPTY_RUN, foldRun } from '../../../src/shared/index.ts'
import { describeEvent } from '../../../src/cli/render/event-lines.ts'
import { agentQueued, EventLog, runStarted } from '../../support/shared/events.ts'
import { liveRun, nestedRun, plainStyle } from './sample-runs.ts'

function linesOf(log: EventLog): string[] {
  let state = EMPTY_RUN
  return log.events.flatMap((event) => {
    state = foldRun(state, event)
    return describeEvent(event, state, plainStyle) ?? []
  })
}

const first = asAgentNumber(1)

describe('describeEvent', () => {
  it('tells a run in lines', () => {
    expect(linesOf(liveRun())).toEqual([
      'review (01JTESTRUN0000000000000000, claude)',
      '  → scout',
      '  ✓ scout completed (3.1s, 640 tokens)',
      'Find',
      '  → a.ts',
      '  → b.ts',
      '  ✗ a.ts failed: exit code 7 (900ms)',
    ])
  })

  it('names nested workflows', () => {
    expect(linesOf(nestedRun())).toEqual([
      'outer (01JTESTRUN0000000000000000, simulated)',
      'Find',
      '▸ inner',
      '▸ inner: Look',
      '  → eye',
      '  ✓ eye completed (500ms)',
      'Judge',
    ])
  })

  it('keeps a log message on one line', () => {
    const log = new EventLog()
      .add('run-started', runStarted({ dry: true }))
      .add('log', { message: 'a\nFAKE\u001b[31m', level: 'log', source: 'log', phase: null, group: 0 })
      .add('log', { message: 'careful', level: 'warn', source: 'console', phase: null, group: 0 })
      .add('warning', { code: 'swallowed', message: 'x is not defined', line: 3, column: 5 })
    expect(linesOf(log)).toEqual([
      'sample (dry run)',
      '  a\\nFAKE\\u001b[31m',
      '  warn: careful',
      'warning: sample.js:3:5: x is not defined',
    ])
  })

  it('tells attempts, rejections and replays', () => {
    const log = new EventLog()
      .add('run-started', runStarted())
      .add('agent-queued', agentQueued(1, { label: 'x' }))
      .add('agent-started', { agent: first, attempt: 1 })
      .add('agent-attempt-failed', { agent: first, attempt: 1, failure: 'transient', error: 'busy' })
      .add('agent-started', { agent: first, attempt: 2 })
      .add('agent-ended', { agent: first, outcome: 'completed', durationMs: 50, attempts: 2, rejections: 4 })
      .add('agent-queued', agentQueued(2, { label: 'y' }))
      .add('agent-ended', { agent: asAgentNumber(2), outcome: 'replayed', durationMs: 0, attempts: 0 })
    expect(linesOf(log).slice(1)).toEqual([
      '  → x',
      '  ! x: attempt 1 failed (transient): busy',
      '  → x, attempt 2',
      '  ✓ x completed (50ms, 2 attempts, 4 rejected answers)',
      '  ↺ y replayed',
    ])
  })

  it('says why a run waits and that it goes on', () => {
    const log = new EventLog()
      .add('run-started', runStarted())
      .add('run-paused', { by: 'limit', reason: 'quota' })
      .add('run-continued', { by: 'limit' })
    expect(linesOf(log).slice(1)).toEqual(['paused: quota', 'continued: the limit is lifted'])
  })
})
