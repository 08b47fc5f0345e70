import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../../src/store/index.ts'
import { openTestStore, makeFolder, runIdOf, RunWriter, toRow, WRITER_WORKER } from '../support/store/store-helpers.ts'

test('what was queued when the store is closed is stored, shown and acknowledged', async () => {
  const { store, file, errors } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  const shown: number[] = []
  // Reading is allowed until everything has been told.
  store.onStored((runId, events) => void shown.push(...events.map(({ seq }) => seq), store.lastSeq(runId)))
  const call = run.startAgent()
  const closed = run.endAgent(call, 'last words')
  const saved = store.journal.saveResult(run.runId, 'result')
  run.end()
  await store.close()
  await Promise.all([closed, saved])
  expect(shown).toEqual([1, 2, 3, 4, 5, 5])
  const { store: after } = await openTestStore({ file })
  expect(after.readRow(run.runId)).toMatchObject({ status: 'completed', agents: 1 })
  expect(after.readCall(run.runId, call.agent)).toMatchObject({ result: 'last words' })
  expect(after.readResultJson(run.runId)).toBe('"result"')
  expect(errors).toEqual([])
})

test('closing twice, also at the same time, is one closing', async () => {
  const { store, errors } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  run.end()
  await Promise.all([store.close(), store.close()])
  await store.close()
  expect(errors).toEqual([])
})

test('a closed store leaves one file, without a write-ahead log', async () => {
  const { store, file } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  run.end()
  await store.close()
  expect(readdirSync(dirname(file))).toEqual(['weft.db'])
})

test('after closing, every read and write is refused in words', async () => {
  const { store } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  const call = run.startAgent()
  await store.close()
  const closed = expect.objectContaining({ code: 'CLOSED' })
  expect(() => run.end()).toThrow(closed)
  expect(() => store.journal.openCall(run.runId, call)).toThrow(closed)
  expect(() => store.readRow(run.runId)).toThrow(closed)
  expect(() => store.listRuns({})).toThrow(closed)
  expect(() => store.search('x')).toThrow(closed)
  const writes: (() => Promise<unknown>)[] = [
    () => store.journal.saveResult(run.runId, 1),
    () => store.journal.closeCall(run.runId, toRow(run.runId, call, 1)),
    () => RunWriter.start(store, runIdOf(2)),
    () => store.writeSetting('a', 1),
    () => store.recoverInterrupted(1),
    () => store.applyRetention({}, 1),
    () => store.recomputeRow(run.runId),
    () => store.backup('copy.db'),
    () => store.checkIntegrity(),
    () => store.journal.readReplayable(run.runId),
  ]
  for (const write of writes) await expect(write()).rejects.toMatchObject({ code: 'CLOSED' })
  await store.events.flush(runIdOf(9))
})

test('opening and closing many times leaves no thread and no open file behind', async () => {
  const file = `${makeFolder()}/weft.db`
  const openFiles = (): number => readdirSync('/proc/self/fd').length
  const cycle = async (): Promise<void> => {
    const store = await openStore({ file, writerWorker: WRITER_WORKER, onError: () => undefined })
    await store.writeSetting('a', 1)
    await store.close()
  }
  await cycle()
  const before = openFiles()
  for (let n = 0; n < 3; n++) await cycle()
  expect(openFiles()).toBeLessThanOrEqual(before)
})
