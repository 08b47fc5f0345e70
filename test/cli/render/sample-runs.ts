// Runs as the renderers' tests need them, from legal event streams.

import { asAgentNumber, asCallPath, EMPTY_RUN, foldRunAll, type RunState } from '../../../src/shared/index.ts'
import { makeStyle, type Style } from '../../../src/cli/render/style.ts'
import { agentQueued, EventLog, runStarted } from '../../support/shared/events.ts'

export const plainStyle: Style = makeStyle({ colors: false, unicode: true })

/** Milliseconds since the epoch at which sample runs start; their other times count from it. */
export const START = 1_000_000

export const fold = (log: EventLog): RunState => foldRunAll(EMPTY_RUN, log.events)

const number = asAgentNumber

/** Two phases announced, the first under way: one agent done, one failed, one running, one queued. */
export function liveRun(): EventLog {
  return new EventLog()
    .add(
      'run-started',
      runStarted({
        meta: { name: 'review', description: 'd', phases: [{ title: 'Find' }, { title: 'Judge' }] },
        backend: 'claude',
        simulated: false,
      }),
      START,
    )
    .add('agent-queued', agentQueued(1, { label: 'scout' }), START)
    .add('agent-started', { agent: number(1), attempt: 1 }, START)
    .add('agent-ended', {
      agent: number(1),
      outcome: 'completed',
      durationMs: 3100,
      attempts: 1,
      usage: { outputTokens: 640 },
    })
    .add('phase-started', { title: 'Find', group: 0 }, START + 3100)
    .add('agent-queued', agentQueued(2, { label: 'a.ts', phase: 'Find' }), START + 3100)
    .add('agent-queued', agentQueued(3, { label: 'b.ts', phase: 'Find' }), START + 3100)
    .add('agent-queued', agentQueued(4, { label: 'evil\u001b[2J\nlabel', phase: 'Find' }), START + 3100)
    .add('agent-started', { agent: number(2), attempt: 1 }, START + 3100)
    .add('agent-started', { agent: number(3), attempt: 1 }, START + 3100)
    .add(
      'agent-progress',
      { agent: number(3), progress: { kind: 'tool', tool: 'read', title: 'src/b.ts' } },
      START + 4000,
    )
    .add('agent-ended', {
      agent: number(2),
      outcome: 'failed',
      durationMs: 900,
      attempts: 1,
      error: { message: 'exit code 7', failure: 'crashed' },
    })
}

/** A nested workflow called in the phase `Find`, with a phase of its own, over and well. */
export function nestedRun(): EventLog {
  return new EventLog()
    .add('run-started', runStarted({ meta: { name: 'outer', description: 'd' } }), START)
    .add('phase-started', { title: 'Find', group: 0 }, START)
    .add('workflow-started', {
      group: 1,
      name: 'inner',
      path: asCallPath('/workflow:0'),
      fileName: 'inner.js',
      phase: 'Find',
    })
    .add('phase-started', { title: 'Look', group: 1 })
    .add('agent-queued', agentQueued(1, { label: 'eye', phase: 'Look', group: 1 }), START)
    .add('agent-started', { agent: number(1), attempt: 1 }, START)
    .add('agent-ended', { agent: number(1), outcome: 'completed', durationMs: 500, attempts: 1 }, START + 500)
    .add('workflow-ended', { group: 1, outcome: 'completed' })
    .add('phase-started', { title: 'Judge', group: 0 })
    .add('run-ended', { outcome: 'completed', degraded: false, durationMs: 600 }, START + 600)
}

/** One phase with `done` finished, `running` running and `queued` queued agents, numbered in this order. */
export function wideRun(done: number, running: number, queued: number): EventLog {
  const log = new EventLog()
    .add('run-started', runStarted({ meta: { name: 'wide', description: 'd' } }), START)
    .add('phase-started', { title: 'All', group: 0 }, START)
  for (let n = 1; n <= done + running + queued; n++) {
    log.add('agent-queued', agentQueued(n, { label: `a${n}`, phase: 'All' }), START)
    if (n <= done + running) log.add('agent-started', { agent: number(n), attempt: 1 }, START)
    if (n <= done)
      log.add('agent-ended', { agent: number(n), outcome: 'completed', durationMs: 1000, attempts: 1 }, START)
  }
  return log
}
