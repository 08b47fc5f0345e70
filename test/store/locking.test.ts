import { statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { startChild } from '../support/store/child.ts'
import { openTestStore, runIdOf, RunWriter } from '../support/store/store-helpers.ts'

const HOLDER = new URL('../support/store/hold-write-lock.ts', import.meta.url)

/** The longest time, in milliseconds, that one turn of the event loop took until `promise` settled. */
async function longestTurnDuring(promise: Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }, 1)
  await promise
  clearInterval(timer)
  return longest
}

test("a write waits for another process's lock and goes through; the host's loop does not wait with it", async () => {
  const { store, file, errors } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  await store.events.flush(run.runId)
  const holder = startChild(HOLDER, [file, '1000'])
  await holder.until((lines) => lines.includes('locked'))
  const saved = store.journal.saveResult(run.runId, 'after the lock')
  const longestMs = await longestTurnDuring(saved)
  expect(store.readResultJson(run.runId)).toBe('"after the lock"')
  expect(longestMs).toBeLessThan(700)
  expect(errors).toEqual([])
})

test('a read that began earlier does not make a write fail (no SQLITE_BUSY_SNAPSHOT)', async () => {
  const { store, file } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  const reader = new Database(file)
  onTestFinished(() => void reader.close())
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM runs').get()
  // Written by somebody else after the snapshot was taken: a transaction that reads first and then writes fails here.
  await store.journal.saveResult(run.runId, 1)
  expect(() => reader.exec("INSERT INTO settings (name, value) VALUES ('a', '1')")).toThrow(/locked/)
  reader.exec('ROLLBACK')
  await store.journal.saveResult(run.runId, 2)
  expect(store.readResultJson(run.runId)).toBe('2')
})

test('a lock that outlasts the timeout refuses the run in words and leaves the others to go on afterwards', async () => {
  const { store, file, errors } = await openTestStore({ busyTimeoutMs: 50 })
  const run = await RunWriter.start(store, runIdOf(1))
  await store.events.flush(run.runId)
  const other = new Database(file)
  onTestFinished(() => void other.close())
  other.exec('BEGIN IMMEDIATE')
  await expect(store.journal.saveResult(run.runId, 1)).rejects.toMatchObject({
    code: 'LOCKED',
    message: expect.stringContaining('is locked by another process'),
  })
  other.exec('ROLLBACK')
  expect(errors.map((error) => 'code' in error && error.code)).toContain('LOCKED')
  const next = await RunWriter.start(store, runIdOf(2))
  await store.events.flush(next.runId)
  expect(store.lastSeq(next.runId)).toBe(1)
})

test('a refused run is shown as over all the while that its log gets its end, also when that fails', async () => {
  const { store, file } = await openTestStore({ busyTimeoutMs: 50 })
  const run = await RunWriter.start(store, runIdOf(1))
  await store.events.flush(run.runId)
  const other = new Database(file)
  onTestFinished(() => void other.close())
  other.exec('BEGIN IMMEDIATE')
  await expect(store.journal.saveResult(run.runId, 1)).rejects.toMatchObject({ code: 'LOCKED' })
  const shown = new Set<unknown>()
  const look = async (): Promise<unknown> => {
    const outcome = { code: undefined as unknown, over: false }
    const ending = store.endRefused(run.runId, 5000).then(
      () => Object.assign(outcome, { over: true }),
      (error: { code?: unknown }) => Object.assign(outcome, { over: true, code: error.code }),
    )
    while (!outcome.over) {
      const row = store.readRow(run.runId)
      shown.add(row?.status)
      // Once it has its end, the end tells why.
      if (row?.endedAt === null) shown.add(row.error?.includes('is locked by another process'))
      // Each turn of the loop is another moment.
      // oxlint-disable-next-line no-await-in-loop
      await new Promise(setImmediate)
    }
    await ending
    return outcome.code
  }
  expect(await look()).toBe('LOCKED')
  other.exec('ROLLBACK')
  expect(await look()).toBeUndefined()
  expect([...shown]).toEqual(['interrupted', true])
  expect(store.readRow(run.runId)).toMatchObject({ status: 'interrupted', endedAt: expect.any(Number) })
})

test('a long read lets the write-ahead log grow only while it lasts', async () => {
  const { store, file } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  const logBytes = (): number => statSync(`${file}-wal`).size
  const writeMuch = async (): Promise<void> => {
    for (let n = 0; n < 20; n++) {
      const progress = { kind: 'raw', text: 'x'.repeat(40_000) } as const
      const call = run.startAgent()
      for (let m = 0; m < 50; m++) run.add('agent-progress', { agent: call.agent, progress })
      await run.endAgent(call, n)
    }
  }
  const reader = new Database(file, { readonly: true })
  onTestFinished(() => void reader.close())
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM events').get()
  await writeMuch()
  const during = logBytes()
  reader.exec('COMMIT')
  await writeMuch()
  expect(during).toBeGreaterThan(40_000_000)
  expect(logBytes()).toBeLessThan(20_000_000)
})
