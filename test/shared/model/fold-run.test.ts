import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  asAgentNumber,
  describeOutcome,
  EMPTY_RUN,
  foldRun,
  foldRunAll,
  RunLogError,
  toRunEnvelope,
  type RunEvent,
} from '../../../src/shared/index.ts'
import { agentQueued, EventLog, runStarted } from '../../support/shared/events.ts'

const first = asAgentNumber(1)
const second = asAgentNumber(2)

function degradedRun(): EventLog {
  return new EventLog()
    .add(
      'run-started',
      runStarted({
        meta: { name: 'sample', description: 'A sample.', phases: [{ title: 'Look' }, { title: 'Judge' }] },
      }),
    )
    .add('phase-started', { title: 'Look', group: 0 })
    .add('agent-queued', agentQueued(1, { phase: 'Look', label: 'reader' }))
    .add('agent-queued', agentQueued(2, { phase: 'Look', label: 'writer' }))
    .add('agent-started', { agent: first, attempt: 1 })
    .add('agent-started', { agent: second, attempt: 1 })
    .add('agent-progress', { agent: first, progress: { kind: 'tool', tool: 'read', title: 'README.md' } })
    .add('agent-attempt-failed', { agent: second, attempt: 1, failure: 'crashed', error: 'exit code 7' })
    .add('agent-started', { agent: second, attempt: 2 })
    .add('agent-ended', {
      agent: first,
      outcome: 'completed',
      durationMs: 4,
      attempts: 1,
      usage: { outputTokens: 12, inputTokens: 100 },
      resultPreview: 'fine',
    })
    .add('agent-ended', {
      agent: second,
      outcome: 'failed',
      durationMs: 4,
      attempts: 2,
      error: { message: 'exit code 7', failure: 'crashed' },
    })
    .add('run-ended', { outcome: 'completed', degraded: true, durationMs: 10, resultPreview: '[1]' })
}

describe('foldRun', () => {
  it('makes the tree, the census and the totals of a run from its events', () => {
    const state = foldRunAll(EMPTY_RUN, degradedRun().events)
    expect({
      status: state.status,
      degraded: state.degraded,
      phases: state.phases,
      agents: state.agents.map(({ label, status, attempt, failedAttempts }) => ({
        label,
        status,
        attempt,
        failedAttempts,
      })),
      calls: state.calls,
      open: [state.running, state.queued],
      agentsStarted: state.agentsStarted,
      tokens: [state.usage.inputTokens, state.usage.outputTokens, state.usage.costUsd],
    }).toEqual({
      status: 'completed',
      degraded: true,
      phases: [
        { title: 'Look', group: 0, startedAt: 2 },
        { title: 'Judge', group: 0 },
      ],
      agents: [
        { label: 'reader', status: 'completed', attempt: 1, failedAttempts: [] },
        {
          label: 'writer',
          status: 'failed',
          attempt: 2,
          failedAttempts: [{ attempt: 1, failure: 'crashed', error: 'exit code 7' }],
        },
      ],
      calls: { completed: 1, failed: 1, skipped: 0, cancelled: 0, replayed: 0, refused: 0 },
      open: [0, 0],
      agentsStarted: 2,
      tokens: [100, 12, null],
    })
  })

  it('never changes the state it was given', () => {
    const events = degradedRun().events
    const states = [EMPTY_RUN]
    for (const event of events) states.push(foldRun(states[states.length - 1] ?? EMPTY_RUN, event))
    const copies = structuredClone(states)
    for (const [index, event] of events.entries()) foldRun(states[index] ?? EMPTY_RUN, event)
    expect(states).toEqual(copies)
  })

  it('gives the same state one event at a time and in batches of any size', () => {
    const events = degradedRun().events
    const whole = foldRunAll(EMPTY_RUN, events)
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: events.length, maxLength: events.length }),
        (sizes) => {
          let state = EMPTY_RUN
          let at = 0
          for (const size of sizes) {
            state = foldRunAll(state, events.slice(at, at + size))
            at += size
          }
          expect(state).toEqual(whole)
        },
      ),
    )
  })

  it('counts a replayed call apart from what the run itself cost', () => {
    const log = new EventLog()
      .add('run-started', runStarted())
      .add('agent-queued', agentQueued(1))
      .add('agent-ended', {
        agent: first,
        outcome: 'replayed',
        durationMs: 0,
        attempts: 0,
        usage: { outputTokens: 30 },
      })
    const state = foldRunAll(EMPTY_RUN, log.events)
    expect([state.agentsStarted, state.usage.outputTokens, state.usage.replayedOutputTokens]).toEqual([0, 0, 30])
  })

  it('keeps what an agent is doing as one short line', () => {
    const log = new EventLog()
      .add('run-started', runStarted())
      .add('agent-queued', agentQueued(1))
      .add('agent-started', { agent: first, attempt: 1 })
      .add('agent-progress', { agent: first, progress: { kind: 'text', text: `${'x'.repeat(5000)} and\nthen 😀` } })
    const activity = foldRunAll(EMPTY_RUN, log.events).agents[0]?.activity ?? ''
    expect(activity.length).toBeLessThanOrEqual(200)
    expect(activity.endsWith('and then 😀')).toBe(true)
  })
})

describe('the invariants', () => {
  const started = (): EventLog => new EventLog().add('run-started', runStarted())
  const opened = (): EventLog =>
    started().add('agent-queued', agentQueued(1)).add('agent-started', { agent: first, attempt: 1 })
  const end = { agent: first, outcome: 'completed', durationMs: 1, attempts: 1 } as const
  const runEnd = { outcome: 'completed', degraded: false, durationMs: 1 } as const

  const illegal: [rule: string, log: EventLog, message: string][] = [
    ['a run starts once', started().add('run-started', runStarted()), 'the run has started already'],
    [
      'run-started comes first',
      new EventLog().add('phase-started', { title: 'x', group: 0 }),
      'the first event has to be run-started',
    ],
    ['agent numbers are positive', started().add('agent-queued', agentQueued(0)), 'not a positive integer'],
    ['agent numbers are unique', opened().add('agent-queued', agentQueued(1)), 'agent 1 was queued already'],
    ['agent numbers have no gaps', started().add('agent-queued', agentQueued(2)), 'agent 1 has to come before agent 2'],
    ['every end has a start', started().add('agent-ended', end), 'agent 1 was never queued'],
    ['an agent ends once', opened().add('agent-ended', end).add('agent-ended', end), 'agent 1 has ended already'],
    [
      'nothing completes unstarted',
      started().add('agent-queued', agentQueued(1)).add('agent-ended', end),
      'completed without having started',
    ],
    [
      'attempts are numbered',
      opened().add('agent-started', { agent: first, attempt: 3 }),
      'attempt 2 of agent 1 has to come first',
    ],
    ['a run does not end with open agents', opened().add('run-ended', runEnd), '1 agents are still open'],
    [
      'nothing follows the end',
      started().add('run-ended', runEnd).add('phase-started', { title: 'x', group: 0 }),
      'nothing may follow run-ended',
    ],
  ]
  it.each(illegal)('%s', (_rule, log, message) => {
    const last = log.events[log.events.length - 1]
    const before = foldRunAll(EMPTY_RUN, log.events.slice(0, -1))
    if (last === undefined) throw new Error('an illegal log has a last event')
    expect(() => foldRun(before, last)).toThrow(RunLogError)
    expect(() => foldRun(before, last)).toThrow(message)
  })

  it('refuses a gap in the sequence', () => {
    const event: RunEvent = { seq: 3, at: 3, type: 'phase-started', title: 'x', group: 0 }
    expect(() => foldRun(foldRunAll(EMPTY_RUN, started().events), event)).toThrow('expected sequence number 2')
  })

  it('takes a log that stops early at any point', () => {
    const events = degradedRun().events
    for (let length = 0; length <= events.length; length++) foldRunAll(EMPTY_RUN, events.slice(0, length))
  })
})

describe('the verdict in words', () => {
  it('never reads as a success when agents failed', () => {
    expect(describeOutcome(foldRunAll(EMPTY_RUN, degradedRun().events))).toBe(
      'completed with failures: 1 failed of 2 agents',
    )
  })

  it('is the same envelope for every face', () => {
    expect(toRunEnvelope(foldRunAll(EMPTY_RUN, degradedRun().events), [1])).toEqual({
      runId: '01JTESTRUN0000000000000000',
      workflow: 'sample',
      outcome: 'completed',
      degraded: true,
      result: [1],
      error: null,
      agentsStarted: 2,
      calls: { completed: 1, failed: 1, skipped: 0, cancelled: 0, replayed: 0 },
      usage: { inputTokens: 100, outputTokens: 12, costUsd: null, replayedOutputTokens: 0 },
      durationMs: 11,
      scriptPath: null,
      simulated: true,
      warnings: ['the answers are simulated: no model was asked'],
    })
  })
})
