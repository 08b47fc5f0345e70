import { describe, expect, it } from 'vitest'
import { followRun, showDryRun } from '../../../../src/renderer/state/runs/run-session.ts'
import { viewStatus, viewVerdict } from '../../../../src/renderer/state/runs/run-view.ts'
import { asAgentNumber, foldRunAll, EMPTY_RUN, toRunEnvelope, type RunEvent } from '../../../../src/shared/index.ts'
import { FakeHost, runRow } from '../../../support/renderer/fake-host.ts'
import { agentQueued, EventLog, RUN_ID, runStarted } from '../../../support/shared/events.ts'

const one = asAgentNumber(1)

function wholeRun(): RunEvent[] {
  return new EventLog()
    .add('run-started', runStarted())
    .add('agent-queued', agentQueued(1))
    .add('agent-started', { agent: one, attempt: 1 })
    .add('agent-progress', { agent: one, progress: { kind: 'text', text: 'Looking ' } })
    .add('agent-progress', { agent: one, progress: { kind: 'text', text: 'at it.' } })
    .add('agent-ended', { agent: one, outcome: 'completed', durationMs: 2, attempts: 1 })
    .add('run-ended', { outcome: 'completed', degraded: false, durationMs: 6 }).events
}

/** A host that has stored the first `stored` events of the run. */
function hostWith(events: RunEvent[], stored: number, row = runRow()) {
  const host = new FakeHost({
    'run.get': () => ({ row, lastSeq: stored }),
    'run.events': ({ fromSeq, limit }) => ({
      events: events.slice(fromSeq - 1, Math.min(stored, fromSeq - 1 + limit)),
      lastSeq: stored,
    }),
    'run.watch': () => ({ lastSeq: stored }),
    'run.unwatch': () => ({}),
    'run.result': () => ({ settled: true, json: '{"ok":true}' }),
  })
  return host
}

function follow(host: FakeHost) {
  const frames: (() => void)[] = []
  const session = followRun(host, RUN_ID, (run) => frames.push(run))
  const nextFrame = (): void => frames.splice(0).forEach((run) => run())
  const until = (condition: () => boolean) =>
    new Promise<void>((resolve) => {
      if (condition()) resolve()
      const end = session.view.subscribe(() => {
        if (!condition()) return
        end()
        resolve()
      })
    })
  const ready = until(() => session.view.getState().load.kind === 'ready')
  return { session, nextFrame, ready, until, view: () => session.view.getState() }
}

describe('followRun', () => {
  it('reads a finished run from its stored events, with its result, and watches nothing', async () => {
    const host = hostWith(wholeRun(), 7, runRow({ status: 'completed', endedAt: 7 }))
    const { view, until } = follow(host)
    await until(() => view().result !== null)
    expect(viewStatus(view())).toBe('completed')
    expect(view().result).toEqual({ json: '{"ok":true}' })
    expect(view().transcripts.get(one)?.items).toEqual([{ kind: 'text', text: 'Looking at it.', cut: false }])
    expect(host.callsOf('run.watch')).toEqual([])
  })

  it('watches a live run from the event after the stored ones and folds what comes once a frame', async () => {
    const events = wholeRun()
    const host = hostWith(events, 3)
    const { view, ready, nextFrame } = follow(host)
    await ready
    expect(host.callsOf('run.watch')).toEqual([{ runId: RUN_ID, fromSeq: 4 }])
    host.push('run.events', { runId: RUN_ID, events: events.slice(3, 4) })
    host.push('run.events', { runId: RUN_ID, events: events.slice(4, 5) })
    expect(view().state.seq).toBe(3)
    nextFrame()
    expect(view().state.seq).toBe(5)
  })

  it('drops events it has seen', async () => {
    const events = wholeRun()
    const host = hostWith(events, 3)
    const { view, ready, nextFrame } = follow(host)
    await ready
    host.push('run.events', { runId: RUN_ID, events: events.slice(1, 4) })
    nextFrame()
    expect(view().state.seq).toBe(4)
    expect(view().load).toEqual({ kind: 'ready' })
  })

  it('asks for the events of a gap', async () => {
    const events = wholeRun()
    const host = hostWith(events, 3)
    const { view, ready, nextFrame, until } = follow(host)
    await ready
    host.handlers['run.events'] = ({ fromSeq }) => ({ events: events.slice(fromSeq - 1, 6), lastSeq: 6 })
    host.push('run.events', { runId: RUN_ID, events: events.slice(5, 6) })
    nextFrame()
    await until(() => view().state.seq === 6)
    expect(host.callsOf('run.events').at(-1)).toMatchObject({ fromSeq: 4 })
  })

  it('keeps what arrives while stored events are still being read', async () => {
    const events = wholeRun()
    const host = hostWith(events, 3)
    let reply = (): void => {}
    host.handlers['run.events'] = () =>
      new Promise((resolve) => {
        reply = () => resolve({ events: events.slice(0, 3), lastSeq: 3 })
      })
    const { view, ready, nextFrame } = follow(host)
    await Promise.resolve()
    await Promise.resolve()
    host.push('run.events', { runId: RUN_ID, events: events.slice(3, 5) })
    nextFrame()
    reply()
    await ready
    nextFrame()
    expect(view().state.seq).toBe(5)
  })

  it('fetches the result when the last event arrives', async () => {
    const events = wholeRun()
    const host = hostWith(events, 5)
    const { view, ready, nextFrame, until } = follow(host)
    await ready
    expect(view().result).toBeNull()
    host.push('run.events', { runId: RUN_ID, events: events.slice(5) })
    nextFrame()
    await until(() => view().result !== null)
    expect(view().result?.json).toBe('{"ok":true}')
  })

  it('shows a run whose log stops early as the store knows it', async () => {
    const host = hostWith(wholeRun(), 3, runRow({ status: 'interrupted', endedAt: 9 }))
    const { view, ready } = follow(host)
    await ready
    expect(viewStatus(view())).toBe('interrupted')
    expect(viewVerdict(view())).toBe('interrupted')
  })

  it('says why a run can not be shown', async () => {
    const host = hostWith(wholeRun(), 3)
    host.handlers['run.get'] = () => Promise.reject(new Error('no run 01J'))
    const { view, until } = follow(host)
    await until(() => view().load.kind === 'failed')
    expect(view().load).toEqual({ kind: 'failed', message: 'no run 01J' })
  })

  it('changes nothing after it was disposed of, and ends the watch', async () => {
    const events = wholeRun()
    const host = hostWith(events, 3)
    const { session, view, ready, nextFrame } = follow(host)
    await ready
    session.dispose()
    host.push('run.events', { runId: RUN_ID, events: events.slice(3) })
    nextFrame()
    expect(view().state.seq).toBe(3)
    expect(host.callsOf('run.unwatch')).toEqual([{ runId: RUN_ID }])
  })
})

describe('showDryRun', () => {
  it('holds the whole run, its plan and its result', () => {
    const events = wholeRun()
    const plan = {
      phases: [],
      peakConcurrency: 1,
      longestPath: [],
      estimate: { wallClockMs: 2, outputTokens: 3, inputTokens: 4, costUsd: null, basis: 'default' as const, runs: 0 },
      unreached: [],
    }
    const envelope = toRunEnvelope(foldRunAll(EMPTY_RUN, events), ['done'])
    const view = showDryRun({ events, plan, envelope }).view.getState()
    expect({ verdict: viewVerdict(view), plan: view.plan, result: view.result, load: view.load }).toEqual({
      verdict: 'completed, 1 agent',
      plan,
      result: { json: '["done"]' },
      load: { kind: 'ready' },
    })
  })
})
