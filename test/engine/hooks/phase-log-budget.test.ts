import { afterAll, describe, expect, test } from 'vitest'
import { createTestEngine, runScript } from '../../support/engine/run-script.ts'

const engine = await createTestEngine()
afterAll(() => engine.dispose())

describe('phase()', () => {
  test('counts for what follows, is announced once, and a call may name another', async () => {
    const run = await runScript(
      engine,
      `log('before'); phase('A'); await agent('1'); phase('B'); await agent('2'); phase('A'); await agent('3')
       await agent('4', { phase: 'C' }); log('after')`,
    )
    expect(run.state.agents.map(({ phase }) => phase)).toEqual(['A', 'B', 'A', 'C'])
    expect(run.of('phase-started').map(({ title }) => title)).toEqual(['A', 'B', 'C'])
    expect(run.state.log.map(({ message, phase }) => [message, phase])).toEqual([
      ['before', null],
      ['after', 'A'],
    ])
  })

  test('in one branch does not relabel its siblings, and what follows the join keeps its own', async () => {
    const run = await runScript(
      engine,
      `phase('Start')
       await parallel([
         async () => { phase('Left'); await agent('l1'); await agent('l2') },
         async () => { await agent('r1'); await agent('r2'); phase('Right'); await agent('r3') },
       ])
       await agent('end')`,
    )
    expect(Object.fromEntries(run.state.agents.map(({ label, phase }) => [label, phase]))).toEqual({
      l1: 'Left',
      l2: 'Left',
      r1: 'Start',
      r2: 'Start',
      r3: 'Right',
      end: 'Start',
    })
  })

  test('takes a non-empty text', async () => {
    const run = await runScript(engine, `phase()`)
    expect(run.settlement.error).toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: 'phase: the title has to be a non-empty text, got undefined',
      line: 2,
      column: 1,
    })
  })
})

describe('log() and console', () => {
  test('show text as it is and everything else as JSON', async () => {
    const run = await runScript(
      engine,
      `log('text'); log({ a: [1, null] }); log(5); log(undefined); log(null); log(10n); log(() => 1); log([new Date(0)])
       const loop = {}; loop.self = loop; log(loop); log(new Map())`,
    )
    expect(run.state.log.map(({ message }) => message)).toEqual([
      'text',
      '{"a":[1,null]}',
      '5',
      'undefined',
      'null',
      '10n',
      'a function',
      '["1970-01-01T00:00:00.000Z"]',
      'an object',
      '{}',
    ])
  })

  test('every level of the console is a log event that says so', async () => {
    const run = await runScript(
      engine,
      `console.log('a', 1, { b: 2 }); console.info('i'); console.warn('w'); console.error('e'); console.debug('d'); log('l')`,
    )
    expect(run.state.log.map(({ level, source, message }) => [level, source, message])).toEqual([
      ['log', 'console', 'a 1 {"b":2}'],
      ['info', 'console', 'i'],
      ['warn', 'console', 'w'],
      ['error', 'console', 'e'],
      ['debug', 'console', 'd'],
      ['log', 'log', 'l'],
    ])
  })

  test('an error is shown with its stack in the author’s file', async () => {
    const run = await runScript(engine, `console.error(new Error('oops'))`)
    expect(run.state.log[0]?.message).toBe('Error: oops\n    at test.js:2:15')
  })

  test('a line that is too long is cut at a character and says so', async () => {
    const run = await runScript(engine, `log('x' + '\\u{1F600}'.repeat(10_000))`)
    const message = run.state.log[0]?.message ?? ''
    expect(message).toMatch(/^x(?:\u{1F600})+… \(20,001 units\)$/u)
  })

  test('ten thousand lines are kept, and that more were left out is said', async () => {
    const run = await runScript(engine, `for (let i = 0; i < 10_050; i++) log('line ' + i)`)
    expect(run.state.log.length).toBe(10_000)
    expect(run.warnings).toEqual(['further log lines are left out: there were 10,000 of them'])
  })

  test('what was said before a throw is kept', async () => {
    const run = await runScript(engine, `phase('P'); log('l'); throw new Error('x')`)
    expect(run.state.phases.map(({ title }) => title)).toEqual(['P'])
    expect(run.state.log.map(({ message }) => message)).toEqual(['l'])
    expect(run.settlement.error).toMatchObject({
      code: 'SCRIPT_ERROR',
      name: 'Error',
      message: 'x',
      line: 2,
      column: 29,
    })
  })
})

describe('budget and args', () => {
  test('budget counts what was spent', async () => {
    const run = await runScript(
      engine,
      `const before = [budget.total, budget.spent(), budget.remaining()]
       await agent('a')
       return [before, [budget.total, budget.spent(), budget.remaining()]]`,
      { budgetTokens: 25 },
    )
    expect(run.result).toEqual([
      [25, 0, 25],
      [25, 10, 15],
    ])
  })

  test('without a total what remains is infinite', async () => {
    const run = await runScript(engine, `return [budget.total, budget.remaining() === Infinity]`)
    expect(run.result).toEqual([null, true])
  })

  test('args arrive verbatim and deeply frozen; undefined when omitted', async () => {
    const args = JSON.parse('{"a":[1],"n":null,"__proto__":{"x":1}}')
    const run = await runScript(
      engine,
      `const frozen = [args, args.a].map(Object.isFrozen)
       let thrown; try { args.a.push(2) } catch (e) { thrown = e.name }
       return [typeof args, Array.isArray(args.a), args.n, frozen, thrown, Object.keys(args), args.x]`,
      { args },
    )
    expect(run.settlement.error?.message).toBe('the result has to be JSON data: result[6] is undefined')
    const again = await runScript(
      engine,
      `return [typeof args, Array.isArray(args.a), args.n, Object.isFrozen(args.a), Object.keys(args)]`,
      { args },
    )
    expect(again.result).toEqual(['object', true, null, true, ['a', 'n', '__proto__']])
    expect((await runScript(engine, `return typeof args`)).result).toBe('undefined')
    expect((await runScript(engine, `return args`, { args: null })).result).toBeNull()
  })
})
