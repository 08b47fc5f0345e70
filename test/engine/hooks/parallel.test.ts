import { afterAll, describe, expect, test } from 'vitest'
import { createTestEngine, runScript } from '../../support/engine/run-script.ts'

const engine = await createTestEngine()
afterAll(() => engine.dispose())

const caught = (call: string): string =>
  `try { return await ${call} } catch (e) { return [e.code, e.fatal, e.message] }`

describe('parallel()', () => {
  test('gives results in input order, and everything that a thunk may return', async () => {
    const run = await runScript(
      engine,
      `return await parallel([() => agent('a'), async () => 2, () => null, () => ({ x: [1] }), () => {}])`,
    )
    expect(run.settlement.error?.message).toBe('the result has to be JSON data: result[4] is undefined')
    const again = await runScript(engine, `return await parallel([() => agent('a'), async () => 2, () => null])`)
    expect(again.result).toEqual(['answer to a', 2, null])
  })

  test('of nothing is nothing', async () => {
    expect((await runScript(engine, `return await parallel([])`)).result).toEqual([])
  })

  test.each([
    [
      `parallel([() => 1, agent('a')])`,
      'slot 1 has to be a function, got a promise: wrap the call in a function, e.g. () => agent(…), so that it starts inside parallel',
    ],
    [`parallel(['x'])`, 'slot 0 has to be a function, got the text "x"'],
    [`parallel([() => 1, , () => 2])`, 'slot 1 has to be a function, got undefined'],
    [
      `parallel(x => x)`,
      'takes an array of functions, got a function: wrap it in an array, e.g. parallel(items.map((item) => () => agent(…)))',
    ],
    [
      `parallel([() => 1], { concurrency: 2 })`,
      'takes one array of functions (the run decides how many agents are at work at once), got also an object',
    ],
    [`parallel()`, 'takes an array of functions, got undefined'],
    [
      `parallel(agent('a'))`,
      'takes an array of functions, got a promise: wrap the call in a function, e.g. () => agent(…), so that it starts inside parallel',
    ],
  ])('%s is fatal and names the slot and what was given', async (call, message) => {
    const run = await runScript(engine, caught(call))
    expect(run.result).toEqual(['INVALID_ARGUMENT', true, `parallel: ${message}`])
  })

  test('a thunk that throws is null, with a warning that names message and place', async () => {
    const run = await runScript(
      engine,
      `return await parallel([
         () => nope.length,
         async () => { await null; throw new TypeError('later') },
         () => Promise.reject('just text'),
         () => 1,
       ])`,
    )
    expect(run.result).toEqual([null, null, null, 1])
    expect(
      run.of('warning').map(({ message, line, column, file, path }) => [message, file, line, column, path]),
    ).toEqual(
      expect.arrayContaining([
        [
          expect.stringMatching(/^parallel: slot 0 became null: ReferenceError: nope is not defined/),
          'test.js',
          3,
          16,
          '/parallel:0/branch:0',
        ],
        ['parallel: slot 1 became null: TypeError: later', 'test.js', 4, 42, '/parallel:0/branch:1'],
        [
          'parallel: slot 2 became null: the script threw the text "just text"',
          undefined,
          undefined,
          undefined,
          '/parallel:0/branch:2',
        ],
      ]),
    )
    expect(run.settlement).toMatchObject({ outcome: 'completed', degraded: false })
  })

  test('misuse inside a thunk rejects the whole call', async () => {
    const run = await runScript(engine, `return await parallel([() => agent('a', { modell: 'x' }), () => agent('b')])`)
    expect(run.settlement.error).toMatchObject({ code: 'UNKNOWN_OPTION', line: 2, column: 30 })
  })

  test('an error that only looks fatal is an ordinary one', async () => {
    const run = await runScript(
      engine,
      `return await parallel([() => { throw Object.assign(new Error('x'), { name: 'WorkflowError', code: 'CANCELLED', fatal: true }) }])`,
    )
    expect(run.result).toEqual([null])
  })

  test('one failed agent costs its siblings nothing, and their ends are written at once', async () => {
    const run = await runScript(engine, `return await parallel([1, 2, 3, 4, 5].map((i) => () => agent('a' + i)))`, {
      agents: ({ prompt }) => (prompt === 'a3' ? { kind: 'dead', error: 'too slow', failure: 'timeout' } : prompt),
    })
    expect(run.result).toEqual(['a1', 'a2', null, 'a4', 'a5'])
    expect(run.rows.map(({ outcome }) => outcome)).toEqual([
      'completed',
      'completed',
      'failed',
      'completed',
      'completed',
    ])
  })

  test('more than 4096 thunks are refused, never cut', async () => {
    const run = await runScript(
      engine,
      `const most = await parallel(Array.from({ length: 4096 }, () => () => 1))
       try { await parallel(Array(4097).fill(() => 1)) } catch (e) { return [most.length, e.code, e.fatal, e.message] }`,
    )
    expect(run.result).toEqual([
      4096,
      'ITEM_CAP',
      true,
      'parallel: 4,097 items are too many for one call, at most 4,096 are taken; split the list',
    ])
  })

  test('a list that lies about its length is read by its first answer', async () => {
    const run = await runScript(
      engine,
      `const lying = (answer) => new Proxy([() => 1], { get: (list, key) => (key === 'length' ? answer() : list[0]) })
       let reads = 0
       const out = [await parallel(lying(() => (reads++ === 0 ? 2 : 1e9))), await pipeline(lying(() => 'x'), (x) => x)]
       try { await parallel(lying(() => 4097)) } catch (e) { out.push(e.code) }
       try { await pipeline(lying(() => Infinity), (x) => x) } catch (e) { out.push(e.code) }
       return out`,
    )
    expect(run.result).toEqual([[1, 1], [], 'ITEM_CAP', 'ITEM_CAP'])
  })

  test('paths tell the branches apart, also nested ones and later calls', async () => {
    const run = await runScript(
      engine,
      `await parallel([() => agent('a'), async () => { await agent('b'); await parallel([() => agent('c')]) }])
       await parallel([() => agent('d')])
       await agent('e')`,
    )
    expect(Object.fromEntries(run.state.agents.map(({ promptPreview, path }) => [promptPreview, path]))).toEqual({
      a: '/parallel:0/branch:0/agent:0',
      b: '/parallel:0/branch:1/agent:0',
      c: '/parallel:0/branch:1/parallel:0/branch:0/agent:0',
      d: '/parallel:1/branch:0/agent:0',
      e: '/agent:0',
    })
  })

  test('forty branches with inner parallels are followed by the next agent', async () => {
    const run = await runScript(
      engine,
      `await parallel(Array.from({ length: 40 }, (_, i) => () => parallel([() => agent('x' + i), () => agent('y' + i)])))
       return await agent('last')`,
    )
    expect([run.result, run.state.agents.length]).toEqual(['answer to last', 81])
  })
})
