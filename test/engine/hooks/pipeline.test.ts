import { afterAll, describe, expect, test } from 'vitest'
import { createTestEngine, runScript } from '../../support/engine/run-script.ts'

const engine = await createTestEngine()
afterAll(() => engine.dispose())

describe('pipeline()', () => {
  test('gives each stage the previous value, the original item and the index', async () => {
    const run = await runScript(
      engine,
      `return await pipeline(['a', 'b'], (...given) => [given.length, ...given], async (previous, item, index) => ({ previous, item, index }))`,
    )
    expect(run.result).toEqual([
      { previous: [3, 'a', 'a', 0], item: 'a', index: 0 },
      { previous: [3, 'b', 'b', 1], item: 'b', index: 1 },
    ])
  })

  test('a null that a stage returns is a value and goes on', async () => {
    const run = await runScript(
      engine,
      `return await pipeline([1, 2, 3], (n) => (n === 2 ? null : n), (previous, item) => [previous, item])`,
    )
    expect(run.result).toEqual([
      [1, 1],
      [null, 2],
      [3, 3],
    ])
    expect(run.warnings).toEqual([])
  })

  test('a stage that throws drops its item alone, with a warning, and later stages are not called', async () => {
    const run = await runScript(
      engine,
      `const seen = []
       const result = await pipeline([1, 2, 3],
         (n) => { if (n === 2) throw new RangeError('two'); return n },
         (n) => { seen.push(n); return n * 10 })
       return { result, seen }`,
    )
    expect(run.result).toEqual({ result: [10, null, 30], seen: [1, 3] })
    expect(run.of('warning').map(({ code, message, line }) => [code, message, line])).toEqual([
      ['pipeline/item-failed', 'pipeline: item 1 became null: RangeError: two', 4],
    ])
  })

  test('items go through on their own: a fast one reaches its second stage before a slow one leaves its first', async () => {
    const order: string[] = []
    let free = (): void => undefined
    const blocked = new Promise<void>((resolve) => {
      free = resolve
    })
    const run = await runScript(
      engine,
      `return await pipeline(['slow', 'fast'], (item) => agent(item + ' 1'), (_, item) => agent(item + ' 2'))`,
      {
        agents: async ({ prompt }) => {
          if (prompt === 'slow 1') await blocked
          order.push(prompt)
          if (prompt === 'fast 2') free()
          return prompt
        },
      },
    )
    expect(order).toEqual(['fast 1', 'fast 2', 'slow 1', 'slow 2'])
    expect(run.result).toEqual(['slow 2', 'fast 2'])
    expect(Object.fromEntries(run.state.agents.map(({ promptPreview, path }) => [promptPreview, path]))).toEqual({
      'slow 1': '/pipeline:0/item:0/agent:0',
      'slow 2': '/pipeline:0/item:0/agent:1',
      'fast 1': '/pipeline:0/item:1/agent:0',
      'fast 2': '/pipeline:0/item:1/agent:1',
    })
  })

  test.each([
    [`pipeline('abc')`, 'takes an array of items, got the text "abc"'],
    [`pipeline([1], 'x')`, 'stage 1 has to be a function, got the text "x"'],
    [`pipeline([1], (x) => x, agent('y'))`, 'stage 2 has to be a function, got a promise'],
  ])('%s is fatal', async (call, message) => {
    const run = await runScript(engine, `try { await ${call} } catch (e) { return [e.code, e.fatal, e.message] }`)
    expect(run.result).toEqual(['INVALID_ARGUMENT', true, `pipeline: ${message}`])
  })

  test('without items there is nothing, without stages the items themselves', async () => {
    const run = await runScript(engine, `return [await pipeline([], (x) => x), await pipeline([1, 2])]`)
    expect(run.result).toEqual([[], [1, 2]])
  })

  test('takes 4096 items and refuses one more', async () => {
    const run = await runScript(
      engine,
      `const most = await pipeline(Array(4096).fill(1), (n) => n + 1)
       try { await pipeline(Array(4097).fill(1), (n) => n) } catch (e) { return [most.length, e.code, e.fatal] }`,
    )
    expect(run.result).toEqual([4096, 'ITEM_CAP', true])
  })

  test('a cap reached in a stage is fatal for the whole run', async () => {
    const run = await runScript(engine, `return await pipeline([1, 2, 3], (n) => agent('a' + n))`, { maxAgents: 2 })
    expect(run.settlement.error?.code).toBe('AGENT_CAP')
  })
})
