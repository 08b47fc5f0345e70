import { afterAll, expect, test } from 'vitest'
import { createTestEngine, runScript } from '../../support/engine/run-script.ts'
import { untilStopped } from '../../support/engine/scripted-backend.ts'

const engine = await createTestEngine()
afterAll(() => engine.dispose())

test('question and answer are events of the run, and the runner gets the answer', async () => {
  const asked: unknown[] = []
  const run = await runScript(engine, `return await agent('a')`, {
    permissions: {
      ask: ({ runId: _runId, ...request }) => {
        asked.push(request)
        return Promise.resolve({ answer: 'allow-run', by: 'user' })
      },
    },
    agents: async ({ askPermission }) =>
      (await askPermission?.({ id: 'q', title: 'Run rm?', detail: 'rm -rf x', options: ['allow-run', 'reject'] }))
        ?.answer ?? '',
  })
  expect(run.result).toBe('allow-run')
  expect(asked).toEqual([{ agent: 1, id: 'q', title: 'Run rm?', detail: 'rm -rf x', options: ['allow-run', 'reject'] }])
  expect(run.of('permission-asked')).toMatchObject([{ agent: 1, request: 'q', title: 'Run rm?' }])
  expect(run.of('permission-answered')).toMatchObject([{ agent: 1, request: 'q', answer: 'allow-run', by: 'user' }])
})

test('a question that is open when the run is cancelled is answered as cancelled before the agent ends', async () => {
  const run = await runScript(engine, `return await agent('a')`, {
    permissions: { ask: () => new Promise(() => {}) },
    agents: ({ askPermission }, { signal }) => {
      void askPermission?.({ id: 'q', title: 'May I?', options: ['reject'] })
      return untilStopped(signal)
    },
    onEvent: (event, { handle }) => {
      if (event.type === 'permission-asked') handle.cancel()
    },
  })
  expect(run.settlement.outcome).toBe('cancelled')
  const types = run.events.map(({ type }) => type)
  expect(types.slice(-3)).toEqual(['permission-answered', 'agent-ended', 'run-ended'])
  expect(run.of('permission-answered')).toMatchObject([{ answer: 'reject', by: 'cancelled' }])
})

test('an answer that nobody gave says why in a warning of the run', async () => {
  const reason = '"May I?" was refused: nobody watches'
  const run = await runScript(engine, `return await agent('a')`, {
    permissions: { ask: () => Promise.resolve({ answer: 'reject', by: 'policy', reason }) },
    agents: async ({ askPermission }) =>
      (await askPermission?.({ id: 'q', title: 'May I?', options: ['reject'] }))?.answer ?? '',
  })
  expect(run.of('permission-answered')).toMatchObject([{ answer: 'reject', by: 'policy' }])
  expect(run.of('warning')).toMatchObject([{ code: 'permission/policy', message: reason, agent: 1 }])
})
