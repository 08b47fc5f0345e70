import { afterAll, describe, expect, test } from 'vitest'
import { createTestEngine, runScript } from '../../support/engine/run-script.ts'

const engine = await createTestEngine()
afterAll(() => engine.dispose())

describe('the result', () => {
  test('is null without a return', async () => {
    const run = await runScript(engine, `await agent('a')`)
    expect([run.result, run.settlement.outcome]).toEqual([null, 'completed'])
  })

  test('is any JSON data, own __proto__ keys and all', async () => {
    const run = await runScript(
      engine,
      `return { a: [1, 'x', true, null, -0, 1e300], ...JSON.parse('{"__proto__":{"polluted":1}}'), n: Object.create(null) }`,
    )
    expect(JSON.stringify(run.result)).toBe('{"a":[1,"x",true,null,0,1e+300],"__proto__":{"polluted":1},"n":{}}')
  })

  test.each([
    [`() => 1`, 'result is a function'],
    [`{ f() {} }`, 'result.f is a function'],
    [`[class A {}]`, 'result[0] is a class'],
    [`Symbol('s')`, 'result is a symbol'],
    [`{ n: 1n }`, 'result.n is a BigInt'],
    [`[NaN]`, 'result[0] is NaN'],
    [`[[-Infinity]]`, 'result[0][0] is -Infinity'],
    [`{ items: [1, 2, 3, { when: new Date(0) }] }`, 'result.items[3].when is a Date'],
    [`{ m: new Map() }`, 'result.m is a Map'],
    [`new Set()`, 'result is a Set'],
    [`/x/`, 'result is a RegExp'],
    [`new Error('x')`, 'result is an error (x)'],
    [`new (class Finding {})()`, 'result is a Finding'],
    [`[1, , 3]`, 'result[1] is missing: the array has a hole there'],
    [`[undefined]`, 'result[0] is undefined'],
    [`{ 'a b': { c: agent('x') } }`, 'result["a b"].c is a promise'],
    [`{ [Symbol.iterator]: 1 }`, 'result has the key Symbol(Symbol.iterator), and JSON has no symbols'],
    [`(() => { const a = { b: {} }; a.b.c = a; return a })()`, 'result.b.c refers back to an object that contains it'],
    [`new (class List extends Array {})(1, 2)`, 'result is an Array and no plain array'],
    [`{ log }`, 'result.log is a function'],
    [
      `{ 'k\\ud800': 1, 'k\\ud801': 2 }`,
      'result["k\\ud801"] is a key that differs from another one by a lone surrogate only, and JSON has none',
    ],
  ])('%s is refused with the path to the offender', async (value, message) => {
    const run = await runScript(engine, `return ${value}`)
    expect(run.settlement).toMatchObject({
      outcome: 'error',
      error: { code: 'RESULT_NOT_JSON', message: `the result has to be JSON data: ${message}`, file: 'test.js' },
    })
  })

  test('the same object twice is no cycle', async () => {
    const run = await runScript(engine, `const x = { a: 1 }; return [x, x]`)
    expect(run.result).toEqual([{ a: 1 }, { a: 1 }])
  })

  test('undefined fields are left out, with a warning', async () => {
    const run = await runScript(engine, `return { a: 1, b: undefined, c: [{ d: undefined }] }`)
    expect(run.result).toEqual({ a: 1, c: [{}] })
    expect(run.of('warning')).toMatchObject([
      {
        code: 'result/undefined-dropped',
        message: 'left out of the result because undefined is no JSON: result.b, result.c[0].d',
      },
    ])
  })

  test('what is nested too deep is refused, and what is not, is not', async () => {
    const nested = (depth: number): string => `let v = 1; for (let i = 0; i < ${depth}; i++) v = [v]; return v`
    expect((await runScript(engine, nested(400))).settlement.outcome).toBe('completed')
    const deep = await runScript(engine, nested(100_000))
    expect(deep.settlement.error?.message).toBe(
      `the result has to be JSON data: result${'[0]'.repeat(10)}…${'[0]'.repeat(10)} is nested deeper than 500 levels`,
    )
  })

  test('is copied inside the sandbox: a proxy is read there, and what a getter throws is the script’s own error', async () => {
    const proxied = await runScript(
      engine,
      `return new Proxy({ a: 1 }, { get: (t, k) => k === 'a' ? 'trapped' : t[k] })`,
    )
    expect(proxied.result).toEqual({ a: 'trapped' })
    const thrown = await runScript(engine, `return { get a() { throw new RangeError('mine') } }`)
    expect(thrown.settlement.error).toMatchObject({
      code: 'SCRIPT_ERROR',
      name: 'RangeError',
      message: 'mine',
      line: 2,
    })
    const revoked = await runScript(
      engine,
      `const { proxy, revoke } = Proxy.revocable([], {}); revoke(); return [proxy]`,
    )
    expect(revoked.settlement.error).toMatchObject({ code: 'SCRIPT_ERROR', name: 'TypeError' })
  })

  test('two megabytes come whole', async () => {
    const run = await runScript(engine, `return Array.from({ length: 20_000 }, (_, i) => 'x'.repeat(100) + i)`)
    expect(run.result).toHaveLength(20_000)
    expect(run.events.at(-1)).toMatchObject({ type: 'run-ended', resultPreview: expect.stringMatching(/…$/) })
  })

  test('a thenable is waited for', async () => {
    const run = await runScript(engine, `return { then(resolve) { resolve({ then: 'data' }) } }`)
    expect(JSON.stringify(run.result)).toBe('{"then":"data"}')
  })
})
