// Values made to disturb whoever looks at them: each costs its own call, in words, and never the run's honesty.

import { afterAll, describe, expect, test } from 'vitest'
import { createTestEngine, runScript } from '../../support/engine/run-script.ts'
import { USAGE } from '../../support/engine/scripted-backend.ts'

const engine = await createTestEngine()
afterAll(() => engine.dispose())

describe('what a branch throws', () => {
  test.each([
    [`undefined`, 'the script threw undefined'],
    [`null`, 'the script threw null'],
    [`Symbol('q')`, 'the script threw a symbol'],
    [`1n`, 'the script threw a BigInt'],
    [`Object.freeze({ a: 1 })`, 'the script threw an object'],
    [`Object.freeze(new Error('frozen'))`, 'Error: frozen'],
    [`Object.create(null)`, 'the script threw an object'],
    [
      `Object.defineProperties(new Error('m'), Object.fromEntries(['message', 'name', 'stack'].map((key) => [key, { get() { throw 1 } }])))`,
      'an error without a message',
    ],
    [`Object.defineProperty(new Error('m'), 'message', { get: () => ({}) })`, 'Error: Error'],
    [
      `(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy })()`,
      'the script threw an object that can not be looked at',
    ],
    [`Object.assign(new Error('q'), { name: 'WorkflowError', code: 'CANCELLED', fatal: true })`, 'WorkflowError: q'],
    [`new (class Huge extends Error {})('m'.repeat(1e7))`, expect.stringMatching(/^Error: m{1900,}…$/)],
    [`new Error('one\\n\\u001b[31mtwo')`, 'Error: one \\u001b[31mtwo'],
  ])('%s is a null and one line of warning', async (thrown, message) => {
    const run = await runScript(engine, `return await parallel([() => { throw ${thrown} }, () => 1])`)
    expect(run.result).toEqual([null, 1])
    const prefix = 'parallel: slot 0 became null: '
    expect(run.warnings.map((text) => text.replace(prefix, ''))).toEqual([
      // The cut counts the prefix too.
      message,
    ])
  })
})

describe('what a thunk returns', () => {
  test('may be a thenable: it is waited for, what it throws or rejects with is a null', async () => {
    const run = await runScript(
      engine,
      `return await parallel([
        () => ({ then(resolve) { resolve('ok') } }),
        () => ({ get then() { throw new Error('getter') } }),
        () => ({ then(_, reject) { reject('text') } }),
      ])`,
    )
    expect(run.result).toEqual(['ok', null, null])
    expect(run.warnings).toHaveLength(2)
  })

  test('may be a thenable that never settles: the run ends and says so', async () => {
    const run = await runScript(engine, `return await parallel([() => ({ then() {} })])`)
    expect(run.settlement.error?.code).toBe('SCRIPT_WAITS')
  })
})

describe('options', () => {
  test('with getters are read once, each', async () => {
    const run = await runScript(
      engine,
      `let reads = 0
       await agent('x', { get label() { reads++; return 'label ' + reads } })
       return reads`,
    )
    expect([run.result, run.state.agents[0]?.label]).toEqual([1, 'label 1'])
  })

  test('of white space alone are no labels and no phases', async () => {
    const run = await runScript(
      engine,
      `const caught = async (work) => { try { await work(); return 'taken' } catch (e) { return e.code } }
       return [await caught(() => agent('x', { label: ' ' })), await caught(() => agent('x', { phase: '\\n' })), await caught(() => phase('\\t '))]`,
    )
    expect(run.result).toEqual(Array(3).fill('INVALID_ARGUMENT'))
  })

  test('name the same phase as phase() does', async () => {
    const run = await runScript(
      engine,
      `phase('one\\n two'); await agent('a'); await agent('b', { phase: 'one\\n two' })`,
    )
    expect(run.state.phases.map(({ title }) => title)).toEqual(['one two'])
  })

  test('with huge labels and phases are shown in one short line without control characters', async () => {
    const run = await runScript(
      engine,
      `await agent('x', { label: 'a\\n\\u001b[2J' + 'L'.repeat(1e6), phase: 'b\\r\\n\\u0007' + 'P'.repeat(1e6) })
       phase('c\\u0000\\n' + 'P'.repeat(1e6))`,
    )
    const shown = [...run.state.agents.map(({ label }) => label), ...run.state.phases.map(({ title }) => title)]
    expect(shown).toHaveLength(3)
    // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
    expect(shown.filter((text) => text.length > 200 || /[\u0000-\u001f]/.test(text))).toEqual([])
  })
})

describe('size and depth', () => {
  test('an answer of five megabytes reaches the script whole, as text and as a value', async () => {
    const run = await runScript(
      engine,
      `const text = await agent('text'); const value = await agent('value', { schema: { type: 'object' } })
       return [text.length, text.slice(-3), value.text.length]`,
      {
        agents: ({ structured }) =>
          structured ? { kind: 'ok', output: { text: '漢'.repeat(5e6) }, usage: USAGE } : `${'y'.repeat(5e6)}end`,
      },
    )
    expect(run.result).toEqual([5_000_003, 'end', 5_000_000])
  })

  test('20,000 levels are refused as arguments and shown in words as a log line', async () => {
    const run = await runScript(
      engine,
      `let deep = 1; for (let i = 0; i < 20_000; i++) deep = [deep]
       log(deep); console.log(deep)
       const caught = async (work) => { try { await work() } catch (e) { return [e.code, e.message] } }
       return [await caught(() => agent('x', { schema: { x: deep } })), await caught(() => workflow('x', deep))]`,
    )
    expect(run.of('log').map(({ message }) => message)).toEqual(['an array of 1', 'an array of 1'])
    const refused = (path: string) => [
      'INVALID_ARGUMENT',
      expect.stringContaining(`${path} is nested deeper than 500 levels`),
    ]
    const levels = '[0]'.repeat(10)
    expect(run.result).toEqual([
      refused(`agent: option schema.x${'[0]'.repeat(9)}…${levels}`),
      refused(`workflow: args${levels}…${levels}`),
    ])
  })

  test('line and paragraph separators stay what they are in prompts and answers', async () => {
    const run = await runScript(engine, "return await agent('a\u2028b\u2029c' + `d\u2028`)", {
      agents: ({ prompt }) => prompt,
    })
    expect(run.result).toBe('a\u2028b\u2029cd\u2028')
  })
})
