import { afterAll, describe, expect, test } from 'vitest'
import { MemoryStore } from '../../support/engine/memory-store.ts'
import {
  createTestEngine,
  runScript,
  type FinishedRun,
  type RunScriptOptions,
} from '../../support/engine/run-script.ts'
import { untilStopped, type Behaviour } from '../../support/engine/scripted-backend.ts'

const engine = await createTestEngine()
afterAll(() => engine.dispose())

/** Answers after as many turns as its place in this shuffle says. */
function shuffled(seed: number): Behaviour {
  return async ({ prompt }) => {
    let hash = seed
    for (const char of prompt) hash = (hash * 31 + char.charCodeAt(0)) % 97
    for (let i = 0; i < hash % 9; i++) await new Promise((resolve) => setImmediate(resolve))
    return `${prompt}!`
  }
}

async function resume(earlier: FinishedRun, text: string, options: RunScriptOptions = {}): Promise<FinishedRun> {
  return runScript(engine, text, { store: earlier.store, resumeFrom: earlier.runId, ...options })
}

const live = (run: FinishedRun): string[] => run.backend.requests.map(({ prompt }) => prompt)

const MIXED = `
  const a = await agent('start')
  const b = await parallel([1, 2, 3].map((i) => async () => { const x = await agent('p' + i); return agent('q' + i + x) }))
  const c = await pipeline(['x', 'y', 'z'], (v) => agent('one ' + v), (p) => agent('two ' + p), (p, v, i) => agent('three ' + p + i))
  const d = await Promise.all(['k', 'l', 'm'].map(async (v) => { const first = await agent('bare ' + v); return agent('then ' + first) }))
  return [a, b, c, d, await agent('end'), budget.spent()]`

describe('resuming an unchanged script', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'replays every call whatever the order of completion was (shuffle %d)',
    async (seed) => {
      const first = await runScript(engine, MIXED, { agents: shuffled(seed) })
      const again = await resume(first, MIXED, { agents: shuffled(seed + 50) })
      expect(live(again)).toEqual([])
      expect(again.result).toEqual(first.result)
      expect(again.state.calls.replayed).toBe(first.state.agents.length)
      expect(again.state.agentsStarted).toBe(0)
    },
  )

  test('says where it comes from, adds what was spent to the budget but not to what this run cost', async () => {
    const first = await runScript(engine, `await agent('a'); return budget.spent()`, { budgetTokens: 100 })
    const again = await resume(first, `await agent('a'); return budget.spent()`, {
      budgetTokens: 100,
      lineage: first.runId,
    })
    expect(again.result).toBe(10)
    expect(again.state.info).toMatchObject({ resumedFrom: first.runId, lineage: first.runId })
    expect(again.state.usage).toMatchObject({ outputTokens: 0, replayedOutputTokens: 10 })
    expect(again.rows[0]).toMatchObject({ outcome: 'replayed', origin: first.runId, result: 'answer to a' })
    const third = await resume(again, `await agent('a'); return budget.spent()`)
    expect([live(third), third.rows[0]?.origin]).toEqual([[], first.runId])
  })

  test('replays what was paid for even when that had used up the budget', async () => {
    const text = `return await parallel([1, 2, 3, 4].map((i) => () => agent('a' + i)))`
    const first = await runScript(engine, text, { budgetTokens: 25 })
    const again = await resume(first, text, { budgetTokens: 25 })
    expect(again.result).toEqual(first.result)
    expect(live(again)).toEqual([])
  })

  test('of a cancelled run goes on where it was', async () => {
    const text = `const out = []; for (let i = 0; i < 10; i++) out.push(await agent('a' + i)); return out.length`
    const first = await runScript(engine, text, {
      agents: ({ prompt }, { signal }) => (prompt < 'a5' ? prompt : untilStopped(signal)),
      onEvent: (event, { handle }) => {
        if (event.type === 'agent-started' && event.agent === 6) handle.cancel()
      },
    })
    expect(first.settlement.outcome).toBe('cancelled')
    const again = await resume(first, text)
    expect([again.result, live(again)]).toEqual([10, ['a5', 'a6', 'a7', 'a8', 'a9']])
  })
})

describe('resuming after a failure', () => {
  test('runs the failed calls of a fan-out again, and none of its 100 siblings', async () => {
    const text = `return (await parallel(Array.from({ length: 102 }, (_, i) => () => agent('a' + i)))).filter(Boolean).length`
    const first = await runScript(engine, text, {
      agents: ({ prompt }) =>
        ['a4', 'a50'].includes(prompt) ? { kind: 'dead', error: prompt, failure: 'refused' } : prompt,
    })
    const again = await resume(first, text)
    expect([first.result, again.result, live(again)]).toEqual([100, 102, ['a4', 'a50']])
  })

  test('the same goes for bare calls that were made at once', async () => {
    const text = `return (await Promise.all(Array.from({ length: 102 }, (_, i) => agent('a' + i)))).filter(Boolean).length`
    const first = await runScript(engine, text, {
      agents: ({ prompt }) =>
        ['a4', 'a50'].includes(prompt) ? { kind: 'dead', error: prompt, failure: 'refused' } : prompt,
    })
    expect(live(await resume(first, text))).toEqual(['a4', 'a50'])
  })

  test('what follows the join of a re-run branch runs again', async () => {
    const text = `const r = await parallel(['a', 'b'].map((v) => () => agent(v))); await agent('after'); return r`
    const first = await runScript(engine, text, {
      agents: ({ prompt }) => (prompt === 'a' ? { kind: 'dead', error: 'x', failure: 'refused' } : prompt),
    })
    expect(live(await resume(first, text))).toEqual(['a', 'after'])
  })
})

describe('resuming an edited script', () => {
  const script = (middle: string): string => `
    const a = await agent('first')
    const b = await parallel([
      async () => agent('left 2 ' + (await agent('left 1'))),
      async () => agent('right 2 ' + (await agent('${middle}'))),
    ])
    return agent('last ' + b.length)`

  test('re-runs the edited branch and what follows the join, and nothing else', async () => {
    const first = await runScript(engine, script('right 1'))
    const again = await resume(first, script('right one'))
    expect(live(again)).toEqual(['right one', 'right 2 answer to right one', 'last 2'])
    expect(again.state.calls).toMatchObject({ replayed: 3, completed: 3 })
  })

  test('a change at the top re-runs all that comes after', async () => {
    const first = await runScript(engine, `await agent('a'); await parallel([() => agent('b')]); await agent('c')`)
    const again = await resume(first, `await agent('A'); await parallel([() => agent('b')]); await agent('c')`)
    expect(live(again)).toEqual(['A', 'b', 'c'])
  })

  test('label and phase are no part of a call', async () => {
    const first = await runScript(engine, `await agent('a', { label: 'x' }); phase('P'); await agent('b')`)
    expect(live(await resume(first, `await agent('a', { label: 'y', phase: 'Q' }); await agent('b')`))).toEqual([])
  })

  test('a call that moved within its scope still replays, and equal calls take one row each', async () => {
    const first = await runScript(engine, `await Promise.all([agent('a'), agent('b'), agent('b')])`)
    const again = await resume(first, `await Promise.all([agent('b'), agent('a'), agent('b'), agent('b')])`)
    expect(live(again)).toEqual(['b'])
  })

  test('a nested workflow is a scope of its own', async () => {
    const inner = (prompt: string) => ({
      inner: `export const meta = { name: 'inner', description: 'd' }\nawait agent('in 1')\nreturn await agent('${prompt}')`,
    })
    const text = `await agent('a'); await workflow('inner'); return await agent('z')`
    const first = await runScript(engine, text, { workflows: inner('in 2') })
    expect(live(await resume(first, text, { workflows: inner('in 2') }))).toEqual([])
    expect(live(await resume(first, text, { workflows: inner('in two') }))).toEqual(['in two', 'z'])
  })

  test('a nested workflow that began beside a re-run call is replayed, however long its script is looked up', async () => {
    const workflows = { inner: `export const meta = { name: 'inner', description: 'd' }\nreturn await agent('in')` }
    const text = (prompt: string) => `return await Promise.all([agent('${prompt}'), workflow('inner')])`
    const first = await runScript(engine, text('a'), { workflows })
    expect(live(await resume(first, text('b'), { workflows }))).toEqual(['b'])
  })
})

test('a journal that can not be read ends the run in error', async () => {
  const store = new MemoryStore()
  store.journal.readReplayable = () => Promise.reject(new Error('damaged'))
  const run = await runScript(engine, `return 1`, { store, resumeFrom: 'RUNX' as never }) // any id
  expect(run.settlement).toMatchObject({ outcome: 'error', error: { code: 'INTERNAL', message: 'damaged' } })
})
