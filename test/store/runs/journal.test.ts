import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { asAgentNumber, asRunId, type JsonValue } from '../../../src/shared/index.ts'
import { openTestStore, runIdOf, RunWriter, toRow } from '../../support/store/store-helpers.ts'

test('when a call is closed its row is committed: another connection sees it', async () => {
  const { store, file } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  const other = new Database(file, { readonly: true })
  onTestFinished(() => void other.close())
  for (let n = 1; n <= 20; n++) {
    const call = run.startAgent(`Task ${n}`)
    await run.endAgent(call, `answer ${n}`)
    expect(other.prepare('SELECT result FROM journal WHERE agent = ?').pluck().get(n)).toBe(`"answer ${n}"`)
  }
})

test('a call is read whole, before and after its end', async () => {
  const { store } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  const call = run.startAgent('Count')
  store.journal.openCall(run.runId, {
    agent: asAgentNumber(2),
    path: call.path,
    key: call.key,
    startedSeq: 9,
    prompt: 'p'.repeat(200_000),
    options: { schema: { type: 'object' }, label: 'x' },
  })
  await run.endAgent(call, { n: [1, -0.5, null, true] }, { rejections: 2, branch: 'weft/x' })
  expect(store.readCall(run.runId, call.agent)).toEqual({
    agent: 1,
    path: call.path,
    key: call.key,
    prompt: 'Count',
    options: {},
    outcome: 'completed',
    result: { n: [1, -0.5, null, true] },
    usage: { outputTokens: 10 },
    durationMs: 5,
  })
  expect(store.readCall(run.runId, asAgentNumber(2))).toMatchObject({
    prompt: 'p'.repeat(200_000),
    options: { schema: { type: 'object' }, label: 'x' },
    outcome: null,
    result: null,
    usage: null,
    durationMs: null,
  })
  expect(store.readCall(run.runId, asAgentNumber(3))).toBeUndefined()
})

test('a resume gets the clean rows only, whole, in the order their calls were started', async () => {
  const { store } = await openTestStore()
  const origin = asRunId('01JTESTRUN0000000000000ORIG')
  const run = await RunWriter.start(store, runIdOf(1))
  const calls = ['a', 'b', 'c', 'd', 'e'].map((prompt) => run.startAgent(prompt))
  const outcomes = ['completed', 'failed', 'replayed', 'skipped', 'cancelled'] as const
  const rows = calls.map((call, index) => ({
    ...toRow(run.runId, call, `result of ${call.prompt}`),
    outcome: outcomes[index] ?? 'failed',
    origin,
    rejections: index,
    branch: 'weft/b',
  }))
  // They end in another order than they began.
  const backwards = [...rows].sort((a, b) => b.agent - a.agent)
  await Promise.all(backwards.map((row) => store.journal.closeCall(run.runId, row)))
  expect(await store.journal.readReplayable(run.runId)).toEqual([rows[0], rows[2]])
  expect(await store.journal.readReplayable(runIdOf(2))).toEqual([])
})

test('a long journal is read in slices that let others run, and completely', async () => {
  const { store } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  const calls = Array.from({ length: 2300 }, () => run.startAgent())
  await Promise.all(calls.map((call) => run.endAgent(call, call.agent)))
  let turns = 0
  const count = (): void => {
    turns++
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  const rows = await store.journal.readReplayable(run.runId)
  clearImmediate(timer)
  expect(rows.map(({ result }) => result)).toEqual(calls.map(({ agent }) => agent))
  expect(turns).toBeGreaterThanOrEqual(4)
})

test('a dry run is never a source for a resume', async () => {
  const { store } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1), { dry: true })
  await run.endAgent(run.startAgent(), 'simulated')
  expect(await store.journal.readReplayable(run.runId)).toEqual([])
})

test('prompts, options and results come back unit by unit: emoji, lone surrogates, NUL, any Unicode', async () => {
  const { store } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  const strange = [
    '😀'.repeat(300).slice(0, 201),
    '\ud83d',
    '\ude00 tail',
    'a\u0000b',
    '\u2028\u2029',
    'e\u0301',
    'é',
    '\r\n',
  ]
  const text = fc.oneof(fc.constantFrom(...strange), fc.string({ unit: 'binary', maxLength: 30 }))
  const value: fc.Arbitrary<JsonValue> = fc.oneof(text, fc.array(text), fc.dictionary(text, text))
  await fc.assert(
    fc.asyncProperty(text, value, async (prompt, result) => {
      const call = run.startAgent(prompt)
      await run.endAgent(call, result)
      expect(store.readCall(run.runId, call.agent)).toMatchObject({ prompt })
      expect(store.readCall(run.runId, call.agent)?.result).toStrictEqual(JSON.parse(JSON.stringify(result)))
    }),
    { numRuns: 60 },
  )
  for (const prompt of strange) {
    const call = run.startAgent(prompt)
    await run.endAgent(call, { [prompt]: prompt })
    expect(store.readCall(run.runId, call.agent)).toMatchObject({ prompt, result: { [prompt]: prompt } })
  }
})

test("a script, a title and a run's result with lone surrogates survive, and the row equals its recomputation", async () => {
  const { store } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1), { title: 'half \ud83d of it', workspace: '/a\udc00' })
  await store.journal.saveResult(run.runId, { '\ud83d': '\ude00' })
  run.end()
  await store.events.flush(run.runId)
  expect(JSON.parse(store.readResultJson(run.runId) ?? '')).toEqual({ '\ud83d': '\ude00' })
  expect(store.readRow(run.runId)).toMatchObject({ title: 'half \ufffd of it' })
  expect(await store.recomputeRow(run.runId)).toEqual(store.readRow(run.runId))
})

test('a result of 30 MB, also one that is not ASCII, is stored and read back whole', async () => {
  const { store } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  const result = Array.from({ length: 30 }, (_, n) => `${n} ü😀 `.padEnd(1024 * 1024, n % 2 === 0 ? 'x' : 'ж'))
  await store.journal.saveResult(run.runId, result)
  expect(store.readResultJson(run.runId) === JSON.stringify(result)).toBe(true)
})

test('a later result of a run takes the place of the earlier one', async () => {
  const { store } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  expect(store.readResultJson(run.runId)).toBeNull()
  await store.journal.saveResult(run.runId, 'x'.repeat(100_000))
  await store.journal.saveResult(run.runId, null)
  expect(store.readResultJson(run.runId)).toBe('null')
})

test('a journal row for a run that does not exist is refused in words', async () => {
  const { store } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  const row = toRow(runIdOf(7), run.startAgent(), 1)
  await expect(store.journal.closeCall(runIdOf(7), row)).rejects.toMatchObject({ code: 'CONSTRAINT' })
})
