import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { asAgentNumber } from '../../../src/shared/index.ts'
import { makeFolder, openTestStore, runIdOf, RunWriter } from '../../support/store/store-helpers.ts'

test('a backup taken while runs are written opens elsewhere with all that was stored by then', async () => {
  const { store } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  await run.endAgent(run.startAgent(), 'x'.repeat(100_000))
  const target = join(makeFolder(), 'copy.db')
  const writing = { goesOn: true }
  const backup = store.backup(target).finally(() => (writing.goesOn = false))
  while (writing.goesOn) await run.endAgent(run.startAgent(), 'more')
  await backup
  if (process.platform !== 'win32') expect(statSync(target).mode & 0o777).toBe(0o600)
  const copy = await openTestStore({ file: target })
  expect(copy.store.readCall(run.runId, asAgentNumber(1))?.result).toBe('x'.repeat(100_000))
  expect(await copy.store.checkIntegrity()).toMatchObject({ ok: true, runs: 1 })
})

test('a backup never takes the place of a file, and one that fails leaves nothing', async () => {
  const { store } = await openTestStore()
  const folder = makeFolder()
  writeFileSync(join(folder, 'notes.txt'), 'mine')
  await expect(store.backup(join(folder, 'notes.txt'))).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(store.backup(join(folder, 'nowhere', 'copy.db'))).rejects.toMatchObject({ name: 'StoreError' })
  expect(readdirSync(folder)).toEqual(['notes.txt'])
})

test('closing during a backup waits for it', async () => {
  const { store } = await openTestStore()
  const target = join(makeFolder(), 'copy.db')
  const backup = store.backup(target)
  await Promise.all([store.close(), store.close()])
  expect(existsSync(target)).toBe(true)
  await backup
})

test('a sound database is reported as such, with its sizes', async () => {
  const { store } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  await run.endAgent(run.startAgent(), 'x'.repeat(200_000))
  const report = await store.checkIntegrity()
  expect(report).toMatchObject({ ok: true, problems: [], runs: 1 })
  expect(report.databaseBytes + report.logBytes).toBeGreaterThan(200_000)
})

test('gaps, orphans and dangling references are reported in words', async () => {
  const { store, file } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  run.startAgent()
  await store.events.flush(run.runId)
  const db = new Database(file)
  db.pragma('foreign_keys = OFF')
  db.exec(`DELETE FROM events WHERE seq = 2; INSERT INTO blobs (hash, data) VALUES ('h', 'd');
    INSERT INTO scripts (hash, text) VALUES ('orphan', '""');
    INSERT INTO results (run_id, value) VALUES ('gone', '1');`)
  db.close()
  expect((await store.checkIntegrity()).problems).toEqual([
    'a row of results refers to something that is not there',
    '1 stored values that no run uses',
    '1 scripts that no run uses',
    '1 runs whose event log has a gap',
  ])
})
