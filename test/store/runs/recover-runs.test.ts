import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { EMPTY_RUN, foldRunAll, type RunState } from '../../../src/shared/index.ts'
import type { Store } from '../../../src/store/index.ts'
import { createRun, openTestStore, runIdOf, RunWriter, toRow } from '../../support/store/store-helpers.ts'

/** Lets `write` write, ends the process's work as a crash would leave it, and opens the database again. */
async function afterCrash(write: (store: Store) => Promise<void>, damage?: string): Promise<Store> {
  const before = await openTestStore()
  await write(before.store)
  await before.store.close()
  if (damage !== undefined) new Database(before.file).exec(damage).close()
  return (await openTestStore({ file: before.file })).store
}

function stateOf(store: Store, n: number): RunState {
  return foldRunAll(EMPTY_RUN, store.readEvents(runIdOf(n), 1, 1000))
}

test('queued and started agents are cancelled, open nested workflows fail, the run is interrupted at its last sign of life', async () => {
  const store = await afterCrash(async (opened) => {
    const run = await RunWriter.start(opened, runIdOf(1))
    const call = run.startAgent('done')
    run.add('workflow-started', { group: 1, name: 'inner', path: call.path, fileName: 'inner.js' })
    await run.endAgent(call, 'fine')
    const started = run.startAgent('started')
    run.add('agent-progress', { agent: started.agent, progress: { kind: 'usage', usage: { outputTokens: 7 } } })
    run.queueAgent('queued')
  })
  const report = await store.recoverInterrupted(Date.UTC(2030, 0, 1))
  expect(report).toEqual({ interrupted: [runIdOf(1)], removed: [], damaged: [] })
  const state = stateOf(store, 1)
  expect(state).toMatchObject({
    status: 'interrupted',
    endedAt: 1009,
    running: 0,
    queued: 0,
    usage: { outputTokens: 17 },
    calls: { completed: 1, cancelled: 2, failed: 0, skipped: 0, replayed: 0, refused: 0 },
    groups: [{ status: 'failed', error: { code: 'CANCELLED' } }],
    cancelReason: expect.stringContaining('found at 2030-01-01'),
  })
  expect(state.agents.map(({ status, durationMs }) => [status, durationMs])).toEqual([
    ['completed', 5],
    ['cancelled', 2],
    ['cancelled', 0],
  ])
  expect(store.readRow(runIdOf(1))).toMatchObject({ status: 'interrupted', endedAt: 1009, outputTokens: 17 })
})

test('every opened call has a closing row afterwards, and only the clean ones can be replayed', async () => {
  const store = await afterCrash(async (opened) => {
    const run = await RunWriter.start(opened, runIdOf(1))
    await run.endAgent(run.startAgent(), 'fine')
    run.startAgent()
    run.queueAgent()
  })
  await store.recoverInterrupted(5000)
  const outcomes = stateOf(store, 1).agents.map(({ agent }) => store.readCall(runIdOf(1), agent)?.outcome)
  expect(outcomes).toEqual(['completed', 'cancelled', 'cancelled'])
  expect((await store.journal.readReplayable(runIdOf(1))).map(({ result }) => result)).toEqual(['fine'])
})

test('a call that was journalled but whose end was not stored ends as the journal says', async () => {
  const store = await afterCrash(async (opened) => {
    const run = await RunWriter.start(opened, runIdOf(1))
    const clean = run.startAgent()
    await opened.journal.closeCall(run.runId, { ...toRow(run.runId, clean, { a: 1 }), rejections: 2, branch: 'weft/b' })
    const failed = run.startAgent()
    await opened.journal.closeCall(run.runId, { ...toRow(run.runId, failed, null), outcome: 'failed' })
    const replayed = run.queueAgent()
    await opened.journal.closeCall(run.runId, { ...toRow(run.runId, replayed, 'old'), outcome: 'replayed' })
    // Completed by the journal, never started by the log: that can't be, so it counts as cancelled.
    const impossible = run.queueAgent()
    await opened.journal.closeCall(run.runId, toRow(run.runId, impossible, 'odd'))
  })
  await store.recoverInterrupted(5000)
  expect(stateOf(store, 1).agents).toMatchObject([
    { status: 'completed', resultPreview: '{"a":1}', rejections: 2, branch: 'weft/b', usage: { outputTokens: 10 } },
    { status: 'failed', error: { failure: 'other' } },
    { status: 'replayed', resultPreview: 'old' },
    { status: 'cancelled', usage: { outputTokens: 10 } },
  ])
})

test('a run that was created and never began is removed; one that is ended or new is not touched', async () => {
  const store = await afterCrash(async (opened) => {
    await createRun(opened, runIdOf(1))
    const ended = await RunWriter.start(opened, runIdOf(2))
    ended.end()
    await opened.events.flush(ended.runId)
  })
  const live = await RunWriter.start(store, runIdOf(3))
  await store.events.flush(live.runId)
  expect(await store.recoverInterrupted(5000)).toEqual({ interrupted: [], removed: [runIdOf(1)], damaged: [] })
  expect(store.readScript(runIdOf(1))).toBeUndefined()
  expect(store.listRuns({}).runs.map(({ runId, status }) => [runId, status])).toEqual([
    [runIdOf(3), 'running'],
    [runIdOf(2), 'completed'],
  ])
})

test('a row that lags behind its events is brought up to date', async () => {
  const store = await afterCrash(async (opened) => {
    const run = await RunWriter.start(opened, runIdOf(1))
    run.end()
  }, "UPDATE runs SET status = 'running', ended_at = NULL")
  expect(await store.recoverInterrupted(5000)).toEqual({ interrupted: [], removed: [], damaged: [] })
  expect(store.readRow(runIdOf(1))).toMatchObject({ status: 'completed', endedAt: 1002 })
})

test('a log with a gap is reported, listed as interrupted where it breaks, and loses no row', async () => {
  const store = await afterCrash(async (opened) => {
    const run = await RunWriter.start(opened, runIdOf(1))
    run.startAgent()
    run.startAgent()
  }, 'DELETE FROM events WHERE seq = 3')
  const report = await store.recoverInterrupted(5000)
  expect(report).toEqual({
    interrupted: [],
    removed: [],
    damaged: [{ runId: runIdOf(1), message: expect.stringContaining('event 3 is missing') }],
  })
  expect(store.readRow(runIdOf(1))).toMatchObject({ status: 'interrupted', error: expect.stringContaining('damaged') })
  expect(() => store.readEvents(runIdOf(1), 1, 10)).toThrow(expect.objectContaining({ code: 'DAMAGED' }))
  expect(store.readEvents(runIdOf(1), 4, 10)).toHaveLength(2)
  // It has an end now, so the next recovery leaves it alone.
  expect(await store.recoverInterrupted(6000)).toEqual({ interrupted: [], removed: [], damaged: [] })
})

test.each([
  ['an event that breaks a rule', `UPDATE events SET data = '{"seq":2,"at":9,"type":"run-started"}' WHERE seq = 2`],
  ['an event that is no JSON', 'UPDATE events SET data = \'{"seq":2,\' WHERE seq = 2'],
])('%s counts as damage, not as the end of the recovery', async (_what, damage) => {
  const store = await afterCrash(async (opened) => {
    const run = await RunWriter.start(opened, runIdOf(1))
    run.startAgent()
    await RunWriter.start(opened, runIdOf(2))
  }, damage)
  const report = await store.recoverInterrupted(5000)
  expect([report.interrupted, report.damaged.map(({ runId }) => runId)]).toEqual([[runIdOf(2)], [runIdOf(1)]])
})

test('a second recovery finds nothing to do', async () => {
  const store = await afterCrash(async (opened) => void (await RunWriter.start(opened, runIdOf(1))).startAgent())
  await store.recoverInterrupted(5000)
  const seq = store.lastSeq(runIdOf(1))
  expect(await store.recoverInterrupted(6000)).toEqual({ interrupted: [], removed: [], damaged: [] })
  expect(store.lastSeq(runIdOf(1))).toBe(seq)
})
