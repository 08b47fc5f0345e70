import { expect, test } from 'vitest'
import { asAgentNumber, type RunEvent } from '../../../src/shared/index.ts'
import type { Store, StoredRunContent } from '../../../src/store/index.ts'
import { openTestStore, runIdOf, RunWriter, until } from '../../support/store/store-helpers.ts'

/** Everything that is stored of an ended run with two calls. */
async function takeOut(store: Store): Promise<StoredRunContent> {
  const run = await RunWriter.start(store, runIdOf(1))
  await run.endAgent(run.startAgent('first prompt'), 'first answer')
  await run.endAgent(run.startAgent('second prompt'), 'y'.repeat(100_000))
  run.end()
  await store.events.flush(run.runId)
  await store.journal.saveResult(run.runId, ['done'])
  const { runId } = run
  const script = store.readScript(runId)
  if (script === undefined) throw new Error('the script is there')
  return {
    runId,
    script,
    events: store.readEvents(runId, 1, 1000),
    calls: store.readOpenings(runId, 0, 10),
    journal: store.readJournal(runId, 0, 10),
    result: ['done'],
  }
}

test('a run from elsewhere is as if it had run here: row, log, calls, result, search, integrity', async () => {
  const from = await openTestStore()
  const content = await takeOut(from.store)
  const { store } = await openTestStore()
  await store.importRun(content)
  expect(store.readRow(content.runId)).toEqual(from.store.readRow(content.runId))
  expect(store.readEvents(content.runId, 1, 1000)).toEqual(content.events)
  expect(store.readCall(content.runId, asAgentNumber(2))).toEqual(from.store.readCall(content.runId, asAgentNumber(2)))
  expect(store.readResultJson(content.runId)).toBe('["done"]')
  expect(await store.journal.readReplayable(content.runId)).toEqual(content.journal)
  await until(() => store.search('second prompt').length === 1)
  expect(await store.checkIntegrity()).toMatchObject({ ok: true, runs: 1 })
})

test('a run that breaks a rule half way leaves nothing, and other writes go on', async () => {
  const { store: from } = await openTestStore()
  const content = await takeOut(from)
  const { store } = await openTestStore()
  const [first] = content.journal
  const twice = { ...content, journal: first === undefined ? [] : [first, first] }
  await expect(store.importRun(twice)).rejects.toMatchObject({ code: 'CONSTRAINT' })
  expect(store.readRow(content.runId)).toBeUndefined()
  expect(store.readScript(content.runId)).toBeUndefined()
  expect(await store.checkIntegrity()).toMatchObject({ ok: true, runs: 0 })
  await store.importRun(content)
  expect(store.readRow(content.runId)).toBeDefined()
})

test('a run whose id is taken, or whose log begins with another run, is refused', async () => {
  const { store } = await openTestStore()
  const content = await takeOut(store)
  await expect(store.importRun(content)).rejects.toMatchObject({ code: 'CONFLICT' })
  const other = { ...content, runId: runIdOf(2) }
  await expect(store.importRun(other)).rejects.toMatchObject({ code: 'CONSTRAINT' })
  const gap: RunEvent[] = content.events.filter(({ seq }) => seq !== 2)
  await expect(store.importRun({ ...other, events: gap })).rejects.toThrow(/expected sequence number 2/)
  expect(store.readScript(runIdOf(2))).toBeUndefined()
})
