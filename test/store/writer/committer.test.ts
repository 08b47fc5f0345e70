import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openWritable } from '../../../src/store/database/open-database.ts'
import { createApplier } from '../../../src/store/writer/apply-operation.ts'
import { Committer } from '../../../src/store/writer/committer.ts'
import type { NumberedOperation, WriteOperation } from '../../../src/store/writer/protocol.ts'
import { makeFolder } from '../../support/store/store-helpers.ts'

interface Opened {
  db: Database.Database
  file: string
  commit(...operations: WriteOperation[]): { failures: [number, string][]; values: [number, unknown][] }
}

/** A committer over a new database with the runs `a` and `b`; operations are numbered from 1 in each commit. */
function open(): Opened {
  const file = join(makeFolder(), 'weft.db')
  const db = openWritable({ file, busyTimeoutMs: 50 })
  onTestFinished(() => void db.close())
  const committer = new Committer(db, file, createApplier(db))
  const commit = (...operations: WriteOperation[]): ReturnType<Opened['commit']> => {
    const numbered: NumberedOperation[] = operations.map((operation, index) => ({ id: index + 1, operation }))
    const { failures, values } = committer.commit(numbered)
    return { failures: [...failures].map(([id, { code }]) => [id, code]), values: [...values] }
  }
  for (const runId of ['a', 'b'])
    commit({ kind: 'run', runId, workflow: 'w', scriptHash: 'h', script: '""', fileName: 'w.js' })
  return { db, file, commit }
}

const log = (runId: string, firstSeq: number, ...data: string[]): WriteOperation => ({
  kind: 'events',
  runId,
  firstSeq,
  data,
  types: data.map(() => 'log'),
})

const read = (db: Database.Database, runId: string): unknown[] =>
  db.prepare('SELECT coalesce(data, data_blob) FROM events WHERE run_id = ? ORDER BY seq').pluck().all(runId)

test('an operation that breaks a rule costs its run what follows, and nothing else', () => {
  const { db, commit } = open()
  const setting: WriteOperation = { kind: 'setting', name: 's', value: '1' }
  const { failures } = commit(
    log('a', 1, '1'),
    log('b', 1, '1'),
    log('a', 1, 'twice'),
    log('a', 2, '2'),
    log('b', 2, '2'),
    setting,
  )
  expect(failures).toEqual([
    [3, 'CONSTRAINT'],
    [4, 'RUN_REFUSED'],
  ])
  expect([read(db, 'a'), read(db, 'b')]).toEqual([['1'], ['1', '2']])
  expect(db.prepare('SELECT value FROM settings').pluck().get()).toBe('1')
})

test('once refused, a run stays refused in later commits', () => {
  const { db, commit } = open()
  commit(log('a', 1, '1'), log('a', 1, 'twice'))
  expect(commit(log('a', 2, '2'), log('b', 1, '1')).failures).toEqual([[1, 'RUN_REFUSED']])
  expect([read(db, 'a'), read(db, 'b')]).toEqual([['1'], ['1']])
})

test('an operation that fails half-way leaves nothing of itself', () => {
  const { db, commit } = open()
  const large = 'x'.repeat(100_000)
  commit(log('a', 1, '1'), {
    ...log('a', 2, large, large),
    types: ['log', null as unknown as string],
  } as WriteOperation)
  expect(read(db, 'a')).toEqual(['1'])
  expect(db.prepare('SELECT count(*) FROM blobs').pluck().get()).toBe(0)
})

test('a full disk costs the run whose value does not fit, not the small write beside it', () => {
  const { db, commit } = open()
  const pages = Number(db.pragma('page_count', { simple: true }))
  db.pragma(`max_page_count = ${pages + 20}`)
  const { failures } = commit(log('a', 1, 'x'.repeat(1_000_000)), log('b', 1, 'small'))
  expect(failures).toEqual([[1, 'DISK_FULL']])
  expect([read(db, 'a'), read(db, 'b')]).toEqual([[], ['small']])
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
})

test("another connection's lock that outlasts the timeout refuses the commit in words", () => {
  const { db, file, commit } = open()
  const other = new Database(file)
  onTestFinished(() => void other.close())
  other.exec('BEGIN IMMEDIATE')
  expect(commit(log('a', 1, '1'), log('b', 1, '1')).failures).toEqual([
    [1, 'LOCKED'],
    [2, 'LOCKED'],
  ])
  other.exec('ROLLBACK')
  expect(read(db, 'a')).toEqual([])
})

test('what somebody waits for and the end of a run are synced to the disk, the rest is committed without', () => {
  const { db, commit } = open()
  const modeAfter = (...operations: WriteOperation[]): unknown => {
    expect(commit(...operations).failures).toEqual([])
    return db.pragma('synchronous', { simple: true })
  }
  const call: WriteOperation = {
    kind: 'call',
    runId: 'a',
    agent: 1,
    path: '/agent:0',
    key: 'k',
    prompt: '""',
    options: '{}',
    startedSeq: 1,
  }
  const ended: WriteOperation = { kind: 'events', runId: 'a', firstSeq: 3, types: ['run-ended'], data: ['{}'] }
  const [normal, full] = [1, 2]
  expect(modeAfter(log('a', 1, '1'))).toBe(normal)
  expect(modeAfter({ kind: 'result', runId: 'a', value: '1' })).toBe(full)
  expect(modeAfter(call)).toBe(normal)
  expect(modeAfter(log('a', 2, '2'), { kind: 'setting', name: 's', value: '1' })).toBe(full)
  expect(modeAfter(log('b', 1, '1'))).toBe(normal)
  expect(modeAfter(ended)).toBe(full)
})

test('a value is kept once however many rows and runs hold it, and goes with the last of them', () => {
  const { db, commit } = open()
  const large = 'y'.repeat(100_000)
  commit(log('a', 1, large, large), log('b', 1, large))
  const blobs = (): unknown => db.prepare('SELECT count(*) FROM blobs').pluck().get()
  const stored = blobs()
  commit({ kind: 'delete', runs: ['a'] })
  const withoutFirst = blobs()
  const { values } = commit({ kind: 'delete', runs: ['b', 'unknown'] })
  expect([stored, withoutFirst, blobs()]).toEqual([1, 1, 0])
  expect(values).toEqual([[1, expect.any(Number)]])
  expect(db.prepare('SELECT count(*) FROM scripts').pluck().get()).toBe(0)
})
