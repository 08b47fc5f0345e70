import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWritable } from '../../../src/store/database/open-database.ts'
import { createApplier } from '../../../src/store/writer/apply-operation.ts'
import { makeFolder, openTestStore, runIdOf, RunWriter } from '../../support/store/store-helpers.ts'

test('a row has all that a list shows, from the first event to the last', async () => {
  const { store } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1), {
    title: 'Nightly',
    scriptPath: '/w/sample.js',
    startedBy: { kind: 'harness', name: 'codex' },
    resumedFrom: runIdOf(0),
    workspace: '/w',
    simulated: false,
  })
  await store.events.flush(run.runId)
  const begun = {
    runId: run.runId,
    workflow: 'sample',
    title: 'Nightly',
    status: 'running',
    degraded: false,
    simulated: false,
    workspace: '/w',
    scriptPath: '/w/sample.js',
    backend: 'simulated',
    startedBy: { kind: 'harness', name: 'codex' },
    resumedFrom: runIdOf(0),
    startedAt: 1001,
    endedAt: null,
    agents: 0,
    outputTokens: 0,
    costUsd: null,
    error: null,
    calls: { completed: 0, failed: 0, skipped: 0, cancelled: 0, replayed: 0, refused: 0 },
  }
  expect(store.readRow(run.runId)).toEqual(begun)
  const call = run.startAgent()
  const usage = { outputTokens: 12, costUsd: 0.25 }
  run.add('agent-ended', { agent: call.agent, outcome: 'completed', durationMs: 1, attempts: 1, usage })
  run.add('run-paused', { by: 'user', reason: 'lunch' })
  await store.events.flush(run.runId)
  const later = {
    ...begun,
    status: 'paused',
    agents: 1,
    outputTokens: 12,
    costUsd: 0.25,
    calls: { ...begun.calls, completed: 1 },
  }
  expect(store.readRow(run.runId)).toEqual(later)
  const error = { code: 'SCRIPT_ERROR' as const, message: 'x is not defined' }
  run.add('run-continued', { by: 'user' })
  run.add('run-ended', { outcome: 'error', degraded: true, durationMs: 9, error })
  await store.events.flush(run.runId)
  const ended = { ...later, status: 'error', degraded: true, endedAt: 1007, error: 'x is not defined' }
  expect(store.readRow(run.runId)).toEqual(ended)
  expect(await store.recomputeRow(run.runId)).toEqual(ended)
})

test('a row that was changed by hand is written again from the events', async () => {
  const { store, file } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  run.end()
  await store.events.flush(run.runId)
  const right = store.readRow(run.runId)
  const db = openWritable({ file, busyTimeoutMs: 1000 })
  db.exec("UPDATE runs SET status = 'error', agents = 99, workflow = 'other'")
  db.close()
  expect(store.readRow(run.runId)).toMatchObject({ status: 'error', agents: 99 })
  await store.recomputeRow(run.runId)
  expect(store.readRow(run.runId)).toEqual(right)
  expect(await store.recomputeRow(runIdOf(2))).toBeUndefined()
})

test('lists are newest first, filtered, paged, and say how many there are in all', async () => {
  const { store } = await openTestStore()
  for (let n = 1; n <= 6; n++) {
    const run = await RunWriter.start(store, runIdOf(n), {
      workspace: n % 2 === 0 ? '/even' : '/odd',
      meta: { name: n < 4 ? 'low' : 'high', description: 'd' },
    })
    if (n !== 5) run.end()
    await store.events.flush(run.runId)
  }
  const list = (query: Parameters<typeof store.listRuns>[0]): [number, number[]] => {
    const { runs, total } = store.listRuns(query)
    return [total, runs.map(({ runId }) => Number(runId.slice(-2)))]
  }
  expect({
    all: list({}),
    page: list({ limit: 2, offset: 1 }),
    workspace: list({ workspace: '/even' }),
    workflow: list({ workflow: 'low' }),
    status: list({ status: ['running', 'paused'] }),
    none: list({ status: [] }),
    combined: list({ workspace: '/odd', workflow: 'high', status: ['running', 'completed'] }),
  }).toEqual({
    all: [6, [6, 5, 4, 3, 2, 1]],
    page: [6, [5, 4]],
    workspace: [3, [6, 4, 2]],
    workflow: [3, [3, 2, 1]],
    status: [1, [5]],
    none: [0, []],
    combined: [1, [5]],
  })
})

test('settings and approvals are kept, whole, and the last word counts', async () => {
  const { store } = await openTestStore()
  await store.writeSetting('theme', { dark: true, accent: '\ud83d' })
  await store.writeSetting('theme', { dark: false, accent: '\ud83d' })
  await store.writeApproval({ hash: 'h', decision: 'deny', workflow: 'w', decidedAt: 5 })
  await store.writeApproval({ hash: 'h', decision: 'allow', workflow: 'w', decidedAt: 6 })
  expect(store.readSetting('theme')).toEqual({ dark: false, accent: '\ud83d' })
  expect(store.readSetting('other')).toBeUndefined()
  expect(store.readApproval('h')).toEqual({ hash: 'h', decision: 'allow', workflow: 'w', decidedAt: 6 })
  expect(store.readApproval('other')).toBeUndefined()
})

test('one script text is stored once for all its runs', async () => {
  const { store, file } = await openTestStore()
  await RunWriter.start(store, runIdOf(1))
  await RunWriter.start(store, runIdOf(2))
  const db = openWritable({ file, busyTimeoutMs: 1000 })
  expect(db.prepare('SELECT count(*) FROM scripts').pluck().get()).toBe(1)
  db.close()
  expect(store.readScript(runIdOf(2))?.text).toBe('return 1')
})

test('a list over 1,000 runs with 20 agents each takes milliseconds, whatever the filter', async () => {
  const file = join(makeFolder(), 'weft.db')
  const db = openWritable({ file, busyTimeoutMs: 100 })
  const apply = createApplier(db)
  const event = JSON.stringify({ seq: 1, at: 1, type: 'log', message: 'filler '.repeat(20) })
  db.transaction(() => {
    for (let n = 1; n <= 1000; n++) {
      const runId = runIdOf(n)
      apply({ kind: 'run', runId, workflow: `w${n % 10}`, scriptHash: 'h', script: '""', fileName: 'a.js' })
      const data = Array.from({ length: 20 }, () => event)
      apply({ kind: 'events', runId, firstSeq: 1, types: data.map(() => 'agent-ended'), data })
    }
    db.exec(`UPDATE runs SET started_at = rowid, started_by = '{"kind":"cli"}', workspace = '/w' || (rowid % 5),
      status = CASE rowid % 3 WHEN 0 THEN 'running' ELSE 'completed' END, ended_at = rowid`)
  })()
  db.close()
  const { store } = await openTestStore({ file })
  const queries = [
    {},
    { workspace: '/w1' },
    { workflow: 'w2' },
    { status: ['running', 'paused'] as const },
    { offset: 800 },
  ]
  const times = queries.flatMap((query) =>
    Array.from({ length: 5 }, () => {
      const begun = performance.now()
      store.listRuns(query)
      return performance.now() - begun
    }),
  )
  times.sort((a, b) => a - b)
  expect(times[Math.floor(times.length / 2)]).toBeLessThan(50)
  expect(store.listRuns({ status: ['running', 'paused'] }).total).toBe(333)
})
