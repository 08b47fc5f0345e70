import { statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { asAgentNumber, type RunId } from '../../../src/shared/index.ts'
import type { Store } from '../../../src/store/index.ts'
import { openTestStore, runIdOf, RunWriter, until } from '../../support/store/store-helpers.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** An ended run whose last event was at day `day`, with a result of so many units. */
async function addRun(store: Store, n: number, day: number, units = 10): Promise<RunId> {
  const run = await RunWriter.start(store, runIdOf(n))
  await run.endAgent(run.startAgent(`prompt ${n}`), `${n}:${'x'.repeat(units)}`)
  const at = day * DAY_MS
  store.events.append(run.runId, {
    seq: run.seq + 1,
    at,
    type: 'run-ended',
    outcome: 'completed',
    degraded: false,
    durationMs: 1,
  })
  await store.events.flush(run.runId)
  return run.runId
}

const idsOf = (store: Store): RunId[] =>
  store
    .listRuns({})
    .runs.map(({ runId }) => runId)
    .sort()

test('runs that ended too long ago are deleted, the pinned and the running ones are kept', async () => {
  const { store } = await openTestStore()
  for (let n = 1; n <= 25; n++) await addRun(store, n, n)
  const running = await RunWriter.start(store, runIdOf(99))
  await store.setPinned(runIdOf(3), true)
  const deleted = await store.applyRetention({ maxAgeDays: 10 }, 30 * DAY_MS)
  const kept = [3, 20, 21, 22, 23, 24, 25, 99].map(runIdOf)
  expect(deleted).toHaveLength(18)
  expect(idsOf(store)).toEqual(kept)
  expect(store.readPinned()).toEqual([runIdOf(3)])
  running.end()
})

test('the oldest runs are deleted until the database uses no more than allowed, and the file shrinks', async () => {
  const { store, file } = await openTestStore()
  for (let n = 1; n <= 10; n++) await addRun(store, n, n, 1_000_000)
  const deleted = await store.applyRetention({ maxBytes: 4_700_000 }, 30 * DAY_MS)
  expect(deleted).toEqual([1, 2, 3, 4, 5, 6].map(runIdOf))
  expect(store.readCall(runIdOf(7), asAgentNumber(1))).toBeDefined()
  const db = new Database(file, { readonly: true })
  await until(() => Number(db.pragma('freelist_count', { simple: true })) === 0)
  db.close()
  await store.close()
  expect(statSync(file).size).toBeLessThan(5_500_000)
})

test('with nothing but pinned runs left, retention by size gives up', async () => {
  const { store } = await openTestStore()
  await addRun(store, 1, 1, 500_000)
  await store.setPinned(runIdOf(1), true)
  expect(await store.applyRetention({ maxBytes: 1000 }, 30 * DAY_MS)).toEqual([])
  await store.setPinned(runIdOf(1), false)
  expect(await store.applyRetention({ maxBytes: 1000 }, 30 * DAY_MS)).toEqual([runIdOf(1)])
})

test('without a limit nothing is deleted', async () => {
  const { store } = await openTestStore()
  await addRun(store, 1, 1)
  expect(await store.applyRetention({}, 1000 * DAY_MS)).toEqual([])
})

test('a deleted run leaves no row, no index entry and no script; a running one is not deleted, nor the others beside it', async () => {
  const { store, file } = await openTestStore()
  await addRun(store, 1, 1, 200_000)
  await until(() => store.search('prompt').length === 1)
  const running = await RunWriter.start(store, runIdOf(2))
  await expect(store.deleteRuns([runIdOf(1), runIdOf(2)])).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining(runIdOf(2)),
  })
  expect(store.readRow(runIdOf(1))).toBeDefined()
  running.end()
  await store.events.flush(running.runId)
  await store.deleteRuns([runIdOf(1), runIdOf(2), runIdOf(7)])
  expect(store.search('prompt')).toEqual([])
  const db = new Database(file, { readonly: true })
  const tables = ['runs', 'scripts', 'events', 'calls', 'journal', 'results', 'blobs', 'blob_uses', 'search_documents']
  const counts = tables.map((table) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get())
  db.close()
  expect(counts).toEqual(tables.map(() => 0))
})

test('an unknown run can not be pinned', async () => {
  const { store } = await openTestStore()
  await expect(store.setPinned(runIdOf(1), true)).rejects.toMatchObject({ code: 'UNKNOWN_RUN' })
})
