import { expect, test } from 'vitest'
import { openTestStore, runIdOf, RunWriter } from '../support/store/store-helpers.ts'

test('a run is written and read back: row, events, call, script, result', async () => {
  const { store, errors } = await openTestStore()
  const runId = runIdOf(1)
  const run = await RunWriter.start(store, runId)
  const call = run.startAgent('Read the file')
  await run.endAgent(call, { found: ['a', 'b'] })
  await store.journal.saveResult(runId, [1, 2])
  run.end()
  await store.events.flush(runId)
  expect(errors).toEqual([])
  expect(store.lastSeq(runId)).toBe(5)
  expect(store.readRow(runId)).toMatchObject({ status: 'completed', agents: 1, outputTokens: 10 })
  expect(store.readCall(runId, call.agent)).toMatchObject({ prompt: 'Read the file', result: { found: ['a', 'b'] } })
  expect(store.readResultJson(runId)).toBe('[1,2]')
  expect(store.readScript(runId)).toMatchObject({ text: 'return 1', fileName: 'sample.js' })
})
