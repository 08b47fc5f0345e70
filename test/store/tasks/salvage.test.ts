import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { asAgentNumber } from '../../../src/shared/index.ts'
import { salvageDatabase, type Store } from '../../../src/store/index.ts'
import { makeFolder, openTestStore, runIdOf, RunWriter, WRITER_WORKER } from '../../support/store/store-helpers.ts'

const RUNS = 12

/** A closed database with 12 ended runs of 20 agents each, with one large result. */
async function makeDatabase(): Promise<string> {
  const { store, file } = await openTestStore()
  for (let n = 1; n <= RUNS; n++) {
    const run = await RunWriter.start(store, runIdOf(n))
    const calls = Array.from({ length: 20 }, (_, m) => run.startAgent(`prompt ${m}`))
    await Promise.all(calls.map((call, m) => run.endAgent(call, m === 19 ? `${n} `.repeat(50_000) : `result ${m}`)))
    run.end()
  }
  await store.writeSetting('theme', 'dark')
  await store.close()
  return file
}

/** Overwrites one leaf in the middle of a table's tree. */
function damage(file: string, table: string): void {
  const db = new Database(file, { readonly: true })
  const pages = db
    .prepare<[string], number>("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path")
    .pluck()
    .all(table)
  db.close()
  const page = pages[Math.floor(pages.length / 2)] ?? 0
  const bytes = readFileSync(file)
  bytes.fill(0xff, (page - 1) * 4096, page * 4096)
  writeFileSync(file, bytes)
}

async function salvageInto(
  file: string,
): Promise<{ target: string; report: Awaited<ReturnType<typeof salvageDatabase>> }> {
  const target = join(makeFolder(), 'saved.db')
  const report = await salvageDatabase({ file, target, writerWorker: WRITER_WORKER })
  if (process.platform !== 'win32') expect(statSync(target).mode & 0o777).toBe(0o600)
  return { target, report }
}

const replayable = async (store: Store, n: number): Promise<number> =>
  (await store.journal.readReplayable(runIdOf(n))).length

test('of a damaged event log all runs but the damaged one come out whole, that one as far as it goes', async () => {
  const file = await makeDatabase()
  damage(file, 'events')
  const before = readFileSync(file)
  const { target, report } = await salvageInto(file)
  expect(readFileSync(file).equals(before)).toBe(true)
  expect(report).toMatchObject({ runs: RUNS, lost: [expect.stringMatching(/^events: .*is damaged/)] })
  expect(report.cut.length).toBeGreaterThanOrEqual(1)
  expect(report.cut.length).toBeLessThanOrEqual(2)
  const { store, errors } = await openTestStore({ file: target })
  const { interrupted, damaged, removed } = await store.recoverInterrupted(5000)
  expect([...interrupted, ...damaged.map(({ runId }) => runId)].sort()).toEqual(report.cut)
  expect([removed, store.listRuns({ status: ['interrupted'] }).total]).toEqual([[], report.cut.length])
  expect(store.listRuns({ status: ['completed'] }).total).toBe(RUNS - report.cut.length)
  for (let n = 1; n <= RUNS; n++) expect(await replayable(store, n)).toBe(20)
  expect(store.readSetting('theme')).toBe('dark')
  expect(await store.checkIntegrity()).toMatchObject({ ok: true, problems: [] })
  expect(errors).toEqual([])
})

test('every table but the search index is saved, row for row', async () => {
  const file = await makeDatabase()
  const db = new Database(file)
  db.exec(`INSERT INTO approvals (hash, decision, workflow, decided_at) VALUES ('h', 'allow', 'w', 1)`)
  db.prepare("INSERT INTO results (run_id, value) VALUES (?, '1')").run(runIdOf(1))
  const record = db.prepare('INSERT INTO harness_records (run_id, seq, session, data) VALUES (?, ?, ?, ?)')
  for (const [n, seqs] of [
    [1, [1, 2, 3]],
    [2, [1, 3]],
  ] as const)
    for (const seq of seqs) record.run(runIdOf(n), seq, 's', '{}')
  db.close()
  const { target } = await salvageInto(file)
  const all = (path: string): Record<string, unknown[]> => {
    const read = new Database(path, { readonly: true })
    const names = read
      .prepare<[], string>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%search%' AND name NOT LIKE 'sqlite_%'",
      )
      .pluck()
      .all()
    const rows = names.map((name) => [name, read.prepare(`SELECT * FROM ${name}`).all()] as const)
    read.close()
    return Object.fromEntries(rows)
  }
  const [before, after] = [all(file), all(target)]
  expect(Object.values(before).filter((rows) => rows.length === 0)).toEqual([])
  // After a gap nothing is believed.
  const kept = before['harness_records']?.slice(0, 4)
  const unindexed = before['runs']?.map((row) => Object.assign({}, row, { indexed: 0 }))
  expect(after).toEqual({ ...before, harness_records: kept, runs: unindexed })
})

test('a run that lost all its events is listed as damaged, and its journal can still be resumed from', async () => {
  const file = await makeDatabase()
  const db = new Database(file)
  db.prepare('DELETE FROM events WHERE run_id = ? AND seq < 5').run(runIdOf(3))
  db.close()
  const { target, report } = await salvageInto(file)
  expect(report).toEqual({ runs: RUNS, lost: [], cut: [runIdOf(3)] })
  const { store } = await openTestStore({ file: target })
  expect(await store.recoverInterrupted(5000)).toEqual({
    interrupted: [],
    removed: [],
    damaged: [{ runId: runIdOf(3), message: 'none of its events is left' }],
  })
  expect(store.readRow(runIdOf(3))).toMatchObject({ status: 'interrupted', error: expect.stringContaining('damaged') })
  expect(await replayable(store, 3)).toBe(20)
})

test('of a damaged journal the rows before and after the damage come out, and what is lost is named', async () => {
  const file = await makeDatabase()
  damage(file, 'journal')
  const { target, report } = await salvageInto(file)
  expect(report).toMatchObject({ runs: RUNS, cut: [], lost: [expect.stringMatching(/^journal: /)] })
  const { store } = await openTestStore({ file: target })
  expect([await replayable(store, 1), await replayable(store, RUNS)]).toEqual([20, 20])
  expect(await store.checkIntegrity()).toMatchObject({ ok: true, problems: [] })
})

test('a large value that is lost takes its row with it: that call runs again on a resume', async () => {
  const file = await makeDatabase()
  const db = new Database(file)
  db.pragma('foreign_keys = OFF')
  db.prepare("DELETE FROM blobs WHERE data LIKE '\"7 %'").run()
  db.close()
  const { target } = await salvageInto(file)
  const { store } = await openTestStore({ file: target })
  expect([await replayable(store, 7), await replayable(store, 8)]).toEqual([19, 20])
  expect(store.readCall(runIdOf(7), asAgentNumber(20))).toMatchObject({ outcome: null, result: null })
  expect(await store.checkIntegrity()).toMatchObject({ ok: true })
})

test('what is not a database, and a target that exists, are refused, and nothing is left behind', async () => {
  const notes = join(makeFolder(), 'notes.txt')
  writeFileSync(notes, 'my notes '.repeat(1000))
  const target = join(dirname(notes), 'saved.db')
  const options = { file: notes, writerWorker: WRITER_WORKER }
  await expect(salvageDatabase({ ...options, target })).rejects.toMatchObject({ code: 'NOT_A_DATABASE' })
  await expect(salvageDatabase({ ...options, target: notes })).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(existsSync(target)).toBe(false)
  expect(readdirSync(dirname(notes))).toEqual(['notes.txt'])
})
