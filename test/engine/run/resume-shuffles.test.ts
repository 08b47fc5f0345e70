import { afterAll, describe, expect, test, vi } from 'vitest'
import { createTestEngine, runScript } from '../../support/engine/run-script.ts'
import type { Behaviour } from '../../support/engine/scripted-backend.ts'

const engine = await createTestEngine()
afterAll(() => engine.dispose())

vi.setConfig({ testTimeout: 240_000 })

/** Answers after a number of turns that the seed draws anew for each call. */
function shuffled(seed: number): Behaviour {
  let state = seed
  return async ({ prompt }) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x297a2d39) >>> 0
    for (let turns = state % 12; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve))
    return `${prompt}!`
  }
}

const INNER = `export const meta = { name: 'inner', description: 'd' }
  const parts = await parallel([1, 2].map((i) => async () => agent('inner two ' + (await agent('inner ' + args + i)))))
  return [parts, await agent('inner end ' + args)]`

// Every round completes in an order of its own.
const ROUNDS = 25
const EVERYTHING = `
  const rounds = []
  for (let r = 0; r < ${ROUNDS}; r++) {
    const before = await agent('start ' + r)
    const [fan, lines, nested, bare] = await Promise.all([
      parallel([1, 2, 3].map((i) => async () => agent('q' + i + (await agent('p' + i))))),
      pipeline(['x', 'y', 'z'], (v) => agent('one ' + v), (p) => agent('two ' + p), (p, v, i) => agent('three ' + p + i)),
      workflow('inner', 'n'),
      Promise.all(['k', 'l', 'm'].map(async (v) => agent('then ' + (await agent('bare ' + v))))),
    ])
    const after = await parallel([() => workflow('inner', 'm'), () => agent('same'), () => agent('same')])
    rounds.push([before, fan, lines, nested, bare, after, await agent('end'), budget.spent()])
  }
  return rounds`

describe('an unchanged script with parallel, pipeline, bare promises and nested workflows', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(`is replayed whole (shuffles %d × ${ROUNDS})`, async (seed) => {
    const workflows = { inner: INNER }
    const first = await runScript(engine, EVERYTHING, { agents: shuffled(seed), workflows })
    const again = await runScript(engine, EVERYTHING, {
      agents: shuffled(seed * 7919),
      workflows,
      store: first.store,
      resumeFrom: first.runId,
    })
    expect(first.settlement.outcome).toBe('completed')
    expect(again.backend.requests.map(({ prompt }) => prompt)).toEqual([])
    expect(again.result).toEqual(first.result)
    expect(again.state.calls).toMatchObject({ replayed: first.state.calls.completed, completed: 0 })
  })
})

describe('one edited branch of a hundred', () => {
  const script = (edited: string) => `
    const all = await parallel(Array.from({ length: 100 }, (_, i) => async () => {
      const found = await agent(i === 41 ? '${edited}' : 'look at ' + i)
      return agent('judge ' + found)
    }))
    const sum = await agent('sum up ' + all.length)
    return agent('polish ' + sum)`

  test.each([1, 2, 3])('re-runs itself and what follows the join (shuffle %d)', async (seed) => {
    const first = await runScript(engine, script('look at 41'), { agents: shuffled(seed) })
    const again = await runScript(engine, script('look closely at 41'), {
      agents: shuffled(seed + 9),
      store: first.store,
      resumeFrom: first.runId,
    })
    expect(again.backend.requests.map(({ prompt }) => prompt)).toEqual([
      'look closely at 41',
      'judge look closely at 41!',
      'sum up 100',
      'polish sum up 100!',
    ])
    expect(again.state.calls).toMatchObject({ replayed: 198, completed: 4 })
  })
})
