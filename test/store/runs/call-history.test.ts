import { expect, test } from 'vitest'
import type { CallHistoryQuery } from '../../../src/store/index.ts'
import type { RunEventPayloads } from '../../../src/shared/index.ts'
import { openTestStore, runIdOf, RunWriter } from '../../support/store/store-helpers.ts'

const QUERY: CallHistoryQuery = { workflow: 'sample', workspace: '/w', runs: 10, calls: 1000 }

const openReal = async () => {
  const { store } = await openTestStore()
  const start = (n: number, started: Partial<RunEventPayloads['run-started']> = {}) =>
    RunWriter.start(store, runIdOf(n), { workspace: '/w', simulated: false, backend: 'real', ...started })
  /** A run with one completed call. */
  const record = async (n: number, started: Partial<RunEventPayloads['run-started']> = {}) => {
    const run = await start(n, started)
    await run.endAgent(run.startAgent('Do it', { label: `of run ${n}`, backend: 'real' }), 'done', { durationMs: n })
    run.end()
    await store.events.flush(run.runId)
  }
  return { store, start, record }
}

test('the history of a workflow has its completed calls, the newest run first', async () => {
  const { store, start, record } = await openReal()
  await record(1)
  const run = await start(2)
  const usage = { outputTokens: 9, inputTokens: 4, costUsd: 0.5 }
  const first = run.startAgent('Do it', { label: 'find', phase: 'Find', backend: 'real' })
  const second = run.startAgent('Do it', { label: 'judge', backend: 'other' })
  await run.endAgent(second, 'done', { durationMs: 70, usage: null })
  await run.endAgent(first, 'done', { durationMs: 50, usage })
  run.end()
  await store.events.flush(run.runId)
  expect(await store.readCallHistory(QUERY)).toEqual([
    { runId: runIdOf(2), label: 'find', phase: 'Find', backend: 'real', durationMs: 50, usage },
    { runId: runIdOf(2), label: 'judge', phase: null, backend: 'other', durationMs: 70, usage: null },
    { runId: runIdOf(1), label: 'of run 1', phase: null, backend: 'real', durationMs: 1, usage: { outputTokens: 10 } },
  ])
})

test('runs that are simulated, dry, live, elsewhere or of another workflow are no history', async () => {
  const { store, start, record } = await openReal()
  await record(1, { simulated: true })
  await record(2, { dry: true })
  await record(3, { workspace: '/elsewhere' })
  await record(4, { meta: { name: 'another', description: 'd' } })
  const live = await start(5)
  await live.endAgent(live.startAgent(), 'done')
  await store.events.flush(live.runId)
  expect(await store.readCallHistory(QUERY)).toEqual([])
})

test('calls that failed or were replayed are no history', async () => {
  const { store, start } = await openReal()
  const run = await start(1)
  for (const outcome of ['failed', 'replayed', 'skipped', 'cancelled'] as const)
    await run.endAgent(run.startAgent(), 'x', { outcome })
  run.end()
  await store.events.flush(run.runId)
  expect(await store.readCallHistory(QUERY)).toEqual([])
})

test('a history is cut at the runs and at the calls asked for, and runs without a call do not count', async () => {
  const { store, start, record } = await openReal()
  for (const n of [1, 2, 3]) await record(n)
  const empty = await start(4)
  empty.end()
  await store.events.flush(empty.runId)
  const durations = async (change: Partial<CallHistoryQuery>) =>
    (await store.readCallHistory({ ...QUERY, ...change })).map(({ durationMs }) => durationMs)
  expect(await durations({ runs: 2 })).toEqual([3, 2])
  expect(await durations({ calls: 1 })).toEqual([3])
})

test('a label too long for its row is read whole', async () => {
  const { store, start } = await openReal()
  const label = 'x'.repeat(100_000)
  const run = await start(1)
  await run.endAgent(run.startAgent('Do it', { label }), 'done')
  run.end()
  await store.events.flush(run.runId)
  expect((await store.readCallHistory(QUERY))[0]?.label).toBe(label)
})
