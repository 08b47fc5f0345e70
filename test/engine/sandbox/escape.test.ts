import { afterAll, describe, expect, test } from 'vitest'
import { createTestEngine, runScript } from '../../support/engine/run-script.ts'
import { USAGE } from '../../support/engine/scripted-backend.ts'

const engine = await createTestEngine()
afterAll(() => engine.dispose())

/** Every value that the engine hands to a script, by a name for it. */
const VALUES = `
  const caught = async (work) => { try { await work(); return 'nothing thrown' } catch (e) { return e } }
  const promise = agent('unawaited')
  const values = {
    agent, parallel, pipeline, phase, log, workflow, console, budget, args,
    'console.log': console.log, 'budget.spent': budget.spent, 'budget.remaining': budget.remaining,
    result: await agent('json', { schema: { type: 'object' } }),
    'result.list': (await agent('json', { schema: { type: 'object' } })).list,
    promise, parallelResult: await parallel([() => 1]), pipelineResult: await pipeline([1], (x) => x),
    misuse: await caught(() => agent(5)), option: await caught(() => agent('x', { lable: 1 })),
    refused: await caught(() => agent('x', { provider: 'zzz' })), unknown: await caught(() => workflow('zzz')),
    clock: await caught(() => Date.now()), type: await caught(() => null.x), range: await caught(() => [].length = -1),
    syntax: await caught(() => Function('}')), evaluated: await caught(() => (0, eval)('nope()')),
    date: new Date(0), regexp: /x/, map: new Map(), symbol: Symbol.iterator, async: (async () => 1)(),
    generator: (function* () {})(), asyncGenerator: (async function* () {})(), error: new Error('x'), Proxy, Reflect,
  }
`

describe('a way out of the sandbox', () => {
  test('is not in the constructor chain of any value, error, promise or prototype', async () => {
    const run = await runScript(
      engine,
      `${VALUES}
       const found = []
       const seen = new Set()
       const probe = (value, path, depth) => {
         if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value) || depth > 6) return
         seen.add(value)
         if (typeof value === 'function') {
           for (const code of ['return process', 'return typeof require', 'return this.process', 'return globalThis.process']) {
             try {
               const made = value(code)
               const got = typeof made === 'function' ? made() : undefined
               if (got !== undefined && got !== 'undefined' && !(got instanceof Promise) && typeof got !== 'object') found.push(path + ': ' + String(got))
               if (got && typeof got === 'object' && ('versions' in got || 'mainModule' in got)) found.push(path + ': process')
             } catch {}
           }
         }
         for (const key of Reflect.ownKeys(value)) {
           let next
           try { next = value[key] } catch { continue }
           if (key === 'process' || key === 'require' || key === 'binding' || key === 'mainModule') found.push(path + '.' + String(key))
           probe(next, path + '.' + String(key), depth + 1)
         }
         probe(Object.getPrototypeOf(value), path + '.[[Prototype]]', depth + 1)
       }
       const skip = new Set(['agent', 'workflow', 'parallel', 'pipeline'])
       for (const name of Object.keys(values)) {
         const value = values[name]
         if (skip.has(name)) { for (const key of Reflect.ownKeys(value)) probe(value[key], name + '.' + String(key), 0); probe(Object.getPrototypeOf(value), name, 0) }
         else probe(value, name, 0)
       }
       probe(globalThis, 'globalThis', 0)
       return { found, seen: seen.size > 300 }`,
      {
        args: { list: [1] },
        agents: ({ structured }) =>
          structured ? { kind: 'ok', output: { list: [1, { a: 2 }] }, usage: USAGE } : 'text',
      },
    )
    expect(run.settlement.error).toBeUndefined()
    expect(run.result).toEqual({ found: [], seen: true })
  })

  test.each([
    `agent.constructor('return process')()`,
    `agent.constructor.constructor('return process')()`,
    `(async () => {}).constructor('return process')()`,
    `(function* () {}).constructor('return process')().next().value`,
    `(async function* () {}).constructor('return process')().next()`,
    `args.constructor.constructor('return process')()`,
    `args.list.constructor.constructor('return process')()`,
    `agent('x').constructor.constructor('return process')()`,
    `agent('x').then.constructor('return process')()`,
    `console.log.constructor('return process')()`,
    `budget.spent.constructor('return process')()`,
    `(() => { try { null.x } catch (e) { return e } })().constructor.constructor('return process')()`,
    `Reflect.construct(Function, ['return process'])()`,
    `Function('return process')()`,
    `(0, eval)('process')`,
    `globalThis.process`,
    `(function () { return this })()`,
    `Reflect.getPrototypeOf(function () {}).constructor('return process')()`,
    `Object.getOwnPropertyDescriptor(Object.getPrototypeOf(agent), 'constructor').value('return process')()`,
    `Error.prepareStackTrace`,
    `(() => { Error.prepareStackTrace = (e, s) => s; const e = new Error('x'); return Array.isArray(e.stack) ? e.stack[0].getThis() : undefined })()`,
    `Error.captureStackTrace(globalThis, agent) ?? undefined`,
  ])('%s gives nothing', async (expression) => {
    const run = await runScript(
      engine,
      `let got
       try { got = await (${expression}) } catch (e) { return 'blocked' }
       if (got === undefined || got === null) return 'undefined'
       if (typeof got === 'function') return typeof got() === 'string' ? 'powerless' : 'function'
       return Object.keys(got).includes('versions') ? 'process' : Object.getOwnPropertyNames(got).length === 0 ? 'empty' : typeof got`,
      { args: { list: [1] } },
    )
    expect(['blocked', 'undefined', 'powerless', 'object']).toContain(run.result)
    expect(run.result === 'object' ? expression : '').toMatch(/^$|captureStackTrace|async function\*/)
  })

  test('is not import in any disguise', async () => {
    const run = await runScript(
      engine,
      `const tries = ['import("node:fs")', 'import ("node:fs")', 'import/**/("node:fs")', 'im' + 'port("node:fs")', 'import.meta', '(async()=>await import("fs"))()']
       return await Promise.all(tries.map(async (code) => { try { const x = await (0, eval)(code); return 'got ' + typeof x } catch (e) { return e.name } }))`,
    )
    expect(run.result).toEqual(Array(6).fill('SyntaxError'))
  })

  test('is not the caller of a function', async () => {
    const run = await runScript(
      engine,
      `const probe = function () { try { return String(arguments.callee.caller) } catch (e) { return e.name } }
       return [await parallel([probe]), await pipeline([1], probe), (() => { try { return String(probe.caller) } catch (e) { return e.name } })()]`,
    )
    expect(run.result).toEqual([['TypeError'], ['TypeError'], 'undefined'])
  })

  test('is not on what the runtime hangs on promises', async () => {
    const run = await runScript(
      engine,
      `const p = agent('a'); await p
       const leaked = Object.getOwnPropertySymbols(p).map((s) => p[s]).filter((v) => typeof v === 'object' && v !== null && Reflect.ownKeys(v).length > 0)
       return leaked.length`,
    )
    expect(run.result).toBe(0)
  })

  test('globals are JavaScript’s own and the hooks, and nothing that keeps time, memory or the network', async () => {
    const run = await runScript(engine, `return Object.getOwnPropertyNames(globalThis).sort()`)
    const names = `agent args budget console log parallel phase pipeline workflow
      AggregateError Array BigInt Boolean Date Error EvalError Function Infinity Iterator JSON Map Math NaN Number Object
      Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError URIError WeakMap
      WeakSet decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite isNaN parseFloat
      parseInt undefined unescape`
    expect(run.result).toEqual(names.split(/\s+/).sort())
  })

  test('stacks name the author’s file alone', async () => {
    const run = await runScript(
      engine,
      `${VALUES}
       return Object.values(values).filter((v) => v instanceof Error).map((e) => e.stack).join('\\n')`,
      { agents: () => ({ kind: 'ok', output: { list: [] }, usage: USAGE }) },
    )
    const places = [
      ...JSON.stringify(run.result)
        .replaceAll('\\n', '\n')
        .matchAll(/^ {4}at (?:.* \()?(.*?):\d+:\d+\)?$/gm),
    ].map((match) => match[1])
    expect(places.length).toBeGreaterThan(8)
    expect(new Set(places)).toEqual(new Set(['test.js']))
    expect(run.result).not.toMatch(/node:|worker|\.cjs|\.ts|ses/)
  })
})

describe('one run’s doings', () => {
  test('leave prototypes as they were, in that run and in the next', async () => {
    const poison = await runScript(
      engine,
      `const outcome = []
       for (const target of [Date.prototype, Array.prototype, Object.prototype, Promise.prototype, Function.prototype, Error, Math, JSON, agent, console, budget]) {
         try { target.foo = 1; outcome.push(target.foo === undefined ? 'ignored' : 'set') } catch (e) { outcome.push(e.name) }
       }
       return outcome`,
    )
    expect(new Set(poison.result as string[])).toEqual(new Set(['TypeError'])) // an array of names
    const next = await runScript(engine, `return [Date.prototype.foo, [].foo, ({}).foo].map((x) => typeof x)`)
    expect(next.result).toEqual(['undefined', 'undefined', 'undefined'])
    expect(Reflect.get(Object.prototype, 'foo')).toBeUndefined()
  })
})
