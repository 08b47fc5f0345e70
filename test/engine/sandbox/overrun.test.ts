// Scripts that would take the processor or the memory for ever: each costs its own run and nothing else.

import { afterAll, describe, expect, test } from 'vitest'
import { createTestEngine, runScript } from '../../support/engine/run-script.ts'

const engine = await createTestEngine({ syncTimeoutMs: 400, memoryMiB: 96 })
// Room and time enough that only the guards can be what refuses.
const roomy = await createTestEngine({ syncTimeoutMs: 20_000, memoryMiB: 2000 })
afterAll(() => Promise.all([engine.dispose(), roomy.dispose()]))

describe('a script that does not yield', () => {
  test.each([
    ['before any await', `let i = 0\nwhile (true) { i++ }`],
    ['after an await', `await null\nfor (;;) {}`],
    ['after an agent', `await agent('a')\nwhile (true) {}`],
    ['in a chain of microtasks', `const spin = () => Promise.resolve().then(spin)\nawait spin()`],
    ['in a regular expression', `await null\nreturn /(a+)+$/.test('a'.repeat(40) + '!')`],
    ['in a proxy that is an argument', `\nawait agent('x', new Proxy({}, { ownKeys() { for (;;); } }))`],
    ['in a toString that is a prompt', `\nawait agent({ toString() { for (;;); } })`],
    ['in a getter of its result', `\nreturn { get x() { for (;;); } }`],
    ['in the toJSON of what it logs', `\nlog({ toJSON() { for (;;); }, f: 1n })`],
    ['in a branch', `await parallel([() => agent('a'),\nasync () => { await null; for (;;); }])`],
    ['in a catch of its own cancellation', `try { await agent('a') } catch {}\nfor (;;);`],
  ])('%s is ended with a message that says so', async (where, text) => {
    const run = await runScript(engine, text)
    if (where.includes('toString')) {
      // A prompt that is no text is refused without being converted.
      expect(run.settlement.error?.code).toBe('INVALID_ARGUMENT')
      return
    }
    expect(run.settlement.outcome).toBe('error')
    expect(run.settlement.error).toMatchObject({
      code: 'SCRIPT_STUCK',
      file: 'test.js',
      message: expect.stringMatching(/^the script used too much CPU: it did not yield for 0.4 s( at test\.js:\d+)?$/),
    })
    if (where === 'before any await' || where === 'after an await' || where === 'after an agent')
      expect(run.settlement.error?.line).toBe(3)
  })

  test('does not hold up another run', async () => {
    const [stuck, fine] = await Promise.all([
      runScript(engine, `for (;;) {}`),
      runScript(engine, `for (let i = 0; i < 20; i++) await agent('a' + i); return 'fine'`),
    ])
    expect([stuck.settlement.error?.code, fine.result]).toEqual(['SCRIPT_STUCK', 'fine'])
  })

  test('is found in a nested workflow by its own file', async () => {
    const run = await runScript(engine, `await workflow('spin')`, {
      workflows: { spin: `export const meta = { name: 'spin', description: 'd' }\n\nfor (;;) {}` },
    })
    expect(run.settlement.error).toMatchObject({ code: 'SCRIPT_STUCK', file: 'spin.js', line: 3 })
    expect(run.state.groups[0]?.status).toBe('failed')
  })
})

describe('a script that takes too much memory', () => {
  test.each([
    ['numbers', `const a = []; for (;;) a.push(1)`],
    ['objects', `const a = []; for (;;) a.push({ a: 1, b: [1] })`],
    ['texts', `const a = []; for (;;) a.push('x'.repeat(1e6) + a.length)`],
    ['arrays', `const a = []; for (;;) a.push(new Array(1e6).fill(a))`],
    ['a map', `const m = new Map(); for (let i = 0; ; i++) m.set(i, {})`],
    ['a doubling array', `let a = [1, 2, 3]; for (;;) a = [...a, ...a]`],
    ['log lines', `for (;;) log('x'.repeat(16000))`],
    ['branches', `const f = () => Promise.all([f(), f()]); await f()`],
  ])('%s: ends alone, in words', async (_what, text) => {
    const run = await runScript(engine, text)
    expect(run.settlement.outcome).toBe('error')
    // A slow machine may find it stuck before it is full; V8 refuses some sizes and depths itself.
    expect(['SCRIPT_MEMORY', 'SCRIPT_STUCK', 'SCRIPT_ERROR']).toContain(run.settlement.error?.code)
    if (run.settlement.error?.code === 'SCRIPT_MEMORY')
      expect(run.settlement.error.message).toBe('the script used more than 96 MiB of memory')
    expect((await runScript(engine, `return 'alive'`)).result).toBe('alive')
  })

  test.each([
    [
      `'x'.repeat(5e8).split('')`,
      'String.prototype.split: the text is 500,000,000 units long, at most 67,108,864 are taken',
    ],
    [`'xy'.repeat(2e8).match(/x/g)`, 'String.prototype.match: the text is 400,000,000 units long'],
    [`'x'.repeat(5e8).replace(/x/g, 'yy')`, 'String.prototype.replace: the text is 500,000,000 units long'],
    [
      `/x/g[Symbol.match]({ toString: () => 'x'.repeat(4e8) })`,
      'RegExp.prototype[Symbol(Symbol.match)]: the text is 400,000,000',
    ],
    [
      `JSON.parse('[' + '{},'.repeat(1e8) + '{}]')`,
      'JSON.parse: the text is 300,000,004 units long, at most 33,554,432 are taken',
    ],
    [`Array.from({ length: 1e9 })`, 'Array.from: 1,000,000,000 elements are too many, at most 33,554,432 are taken'],
    [`Array(1e9).fill(0)`, 'Array.prototype.fill: 1,000,000,000 elements are too many'],
  ])('%s, at which V8 would end the whole process, is refused', async (expression, message) => {
    const run = await runScript(
      roomy,
      `try { ${expression}; return 'taken' } catch (e) { return e.name + ': ' + e.message }`,
    )
    expect(run.settlement.error).toBeUndefined()
    expect(run.result).toContain(`RangeError: ${message}`)
  })
})
