// RunFold against the pure fold: the same tree, event by event, and nothing changed by a refused event.

import { expect, test } from 'vitest'
import { asAgentNumber, EMPTY_RUN, foldRunAll, RunFold, RunLogError } from '../../../src/shared/index.ts'
import { agentQueued, EventLog, runStarted } from '../../support/shared/events.ts'

const agent = asAgentNumber(1)

function shortRun(): EventLog {
  return new EventLog()
    .add('run-started', runStarted())
    .add('phase-started', { title: 'A', group: 0 })
    .add('workflow-started', { group: 1, name: 'n', path: agentQueued(1).path, fileName: 'n.js' })
    .add('agent-queued', agentQueued(1))
    .add('agent-started', { agent, attempt: 1 })
    .add('agent-progress', { agent, progress: { kind: 'text', text: 'working' } })
    .add('agent-ended', { agent, outcome: 'completed', durationMs: 2, attempts: 1 })
    .add('workflow-ended', { group: 1, outcome: 'completed' })
    .add('run-ended', { outcome: 'completed', degraded: false, durationMs: 6 })
}

test('an event-by-event fold holds after each event what the pure fold makes of all of them', () => {
  const { events } = shortRun()
  const fold = new RunFold()
  for (const [index, event] of events.entries()) {
    fold.push(event)
    expect(fold.state).toEqual(foldRunAll(EMPTY_RUN, events.slice(0, index + 1)))
  }
})

test('a refused event leaves the fold as it was, and the next legal one is taken', () => {
  const { events } = shortRun()
  const fold = new RunFold(foldRunAll(EMPTY_RUN, events.slice(0, 5)))
  const before = structuredClone(fold.state)
  expect(() =>
    fold.push({ seq: 6, at: 14, type: 'run-ended', outcome: 'completed', degraded: false, durationMs: 4 }),
  ).toThrow(RunLogError)
  expect(fold.state).toEqual(before)
  for (const event of events.slice(5)) fold.push(event)
  expect(fold.state.status).toBe('completed')
})

test('a fold that goes on from a state does not change that state', () => {
  const { events } = shortRun()
  const state = foldRunAll(EMPTY_RUN, events.slice(0, 5))
  const before = structuredClone(state)
  const fold = new RunFold(state)
  for (const event of events.slice(5)) fold.push(event)
  expect(state).toEqual(before)
})
