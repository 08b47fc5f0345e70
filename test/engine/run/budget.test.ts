import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { createVirtualClock, type JournalRow } from '../../../src/engine/index.ts'
import { MemoryStore } from '../../support/engine/memory-store.ts'
import { createTestEngine, finishRun, runScript, startScript } from '../../support/engine/run-script.ts'
import { untilStopped } from '../../support/engine/scripted-backend.ts'

const engine = await createTestEngine()
afterAll(() => engine.dispose())

const sum = (rows: readonly JournalRow[]): number =>
  rows.reduce((total, { usage }) => total + (usage?.outputTokens ?? 0), 0)

test('whatever agents use and how long they take, a run overshoots its budget by what was in flight at most', async () => {
  const call = fc.record({ tokens: fc.integer({ min: 1, max: 50 }), ms: fc.integer({ min: 1, max: 30 }) })
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { minLength: 5, maxLength: 25 }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 300 }),
      async (calls, maxConcurrentAgents, budgetTokens) => {
        const clock = createVirtualClock(0)
        const script = `await Promise.all(args.map((_, i) => agent('' + i).catch(() => null))); return budget.spent()`
        const run = await runScript(engine, script, {
          clock,
          args: calls.map(() => 0),
          maxConcurrentAgents,
          budgetTokens,
          agents: async ({ prompt }) => {
            const { tokens = 0, ms = 0 } = calls[Number(prompt)] ?? {}
            await clock.sleep(ms)
            return { kind: 'ok', output: prompt, usage: { outputTokens: tokens } }
          },
        })
        // Nobody started once it was spent: what came on top was under way already.
        let spent = 0
        let inFlight = 0
        for (const event of run.events) {
          if (event.type === 'agent-started') {
            expect(spent).toBeLessThan(budgetTokens)
            inFlight++
          }
          if (event.type === 'agent-ended' && event.usage !== undefined) {
            inFlight--
            spent += event.usage.outputTokens
          }
          expect(inFlight).toBeLessThanOrEqual(maxConcurrentAgents)
        }
        expect(run.result).toBe(spent)
        expect(sum(run.rows)).toBe(spent)
      },
    ),
    { numRuns: 8 },
  )
})

test('after a kill between an agent’s usage and its result the counter of the resumed run is the sum of its journal', async () => {
  const script = `const results = [await agent('fine'), await agent('second try'), await agent('fails')]
    results.push(await agent('killed'))
    return { results, spent: budget.spent() }`
  const store = new MemoryStore()
  let killed = false
  const agents: NonNullable<Parameters<typeof runScript>[2]>['agents'] = async ({ prompt, attempt }, tools) => {
    if (prompt === 'second try' && attempt === 1)
      return { kind: 'dead', failure: 'transient', error: 'busy', usage: { outputTokens: 3 } }
    if (prompt === 'fails') return { kind: 'dead', failure: 'refused', error: 'no', usage: { outputTokens: 5 } }
    if (prompt === 'killed' && !killed) {
      tools.onProgress({ kind: 'usage', usage: { outputTokens: 700 } })
      return untilStopped(tools.signal)
    }
    return { kind: 'ok', output: prompt, usage: { outputTokens: 10 } }
  }
  const clock = createVirtualClock(0)
  const first = await startScript(engine, script, { agents, store, clock })
  // The host dies here: nothing of the run is written from now on.
  await new Promise<void>((resolve) => {
    store.onEvent((_runId, event) => {
      if (event.type === 'agent-progress') resolve()
    })
  })
  const before = structuredClone(store.record(first.handle.id).rows)
  expect(before.map(({ usage }) => usage?.outputTokens)).toEqual([10, 13, 5])
  first.handle.cancel()
  await finishRun(first)
  store.record(first.handle.id).rows.splice(0, Infinity, ...before)
  killed = true

  const second = await runScript(engine, script, {
    agents,
    store,
    clock: createVirtualClock(0),
    resumeFrom: first.handle.id,
  })
  expect(second.rows.map(({ outcome }) => outcome)).toEqual(['replayed', 'replayed', 'failed', 'completed'])
  expect(second.result).toEqual({ results: ['fine', 'second try', null, 'killed'], spent: 38 })
  expect(sum(second.rows)).toBe(38)
  // Replayed ones are in the counter and cost nothing.
  const paid = second.of('agent-ended').filter(({ outcome }) => outcome !== 'replayed')
  expect(paid.map(({ usage }) => usage?.outputTokens)).toEqual([5, 10])
})
