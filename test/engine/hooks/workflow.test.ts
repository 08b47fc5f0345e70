import { afterAll, describe, expect, test } from 'vitest'
import { createTestEngine, runScript } from '../../support/engine/run-script.ts'

const engine = await createTestEngine()
afterAll(() => engine.dispose())

const meta = (name: string, more = ''): string => `export const meta = { name: '${name}', description: 'd'${more} }\n`
const attempt = (call: string): string =>
  `try { return await ${call} } catch (e) { return [e.name, e.code, e.fatal, e.message, e.stack.split('\\n').slice(1).join()] }`

describe('workflow()', () => {
  test('runs another script inline with its own args and returns its result', async () => {
    const run = await runScript(
      engine,
      `phase('Outer')
       await agent('first')
       const inner = await workflow('inner', { n: 2 })
       await agent('last')
       return { inner, args }`,
      {
        args: 'outer args',
        workflows: {
          inner: `${meta('inner')}phase('Inner'); log('hi')\nconst a = await agent('in ' + args.n)\nreturn [a, Object.isFrozen(args), typeof agent]`,
        },
      },
    )
    expect(run.result).toEqual({ inner: ['answer to in 2', true, 'function'], args: 'outer args' })
    expect(run.state.groups).toEqual([
      { group: 1, name: 'inner', path: '/workflow:0', phase: 'Outer', fileName: 'inner.js', status: 'completed' },
    ])
    expect(run.of('workflow-started')[0]?.site).toEqual({ line: 4, column: 28 })
    expect(run.state.agents.map(({ label, group, phase, path }) => [label, group, phase, path])).toEqual([
      ['first', 0, 'Outer', '/agent:0'],
      ['in 2', 1, 'Inner', '/workflow:0/agent:0'],
      ['last', 0, 'Outer', '/agent:1'],
    ])
    expect(run.state.log).toMatchObject([{ message: 'hi', group: 1, phase: 'Inner' }])
  })

  test('tells whoever started the run of each script, under the number of its group', async () => {
    const told: unknown[] = []
    const run = await runScript(engine, `await workflow('a'); await workflow('b'); await workflow('a')`, {
      workflows: { a: `${meta('a')}await agent('x')`, b: `${meta('b')}return 1` },
      onNested: (group, { source, callSites }) =>
        told.push([group, source.path, callSites.map(({ hook, line }) => [hook, line])]),
    })
    expect(run.result).toBeNull()
    expect(told).toEqual([
      [1, '/workflows/a.js', [['agent', 2]]],
      [2, '/workflows/b.js', []],
      [3, '/workflows/a.js', [['agent', 2]]],
    ])
  })

  test('accepts a script path', async () => {
    const run = await runScript(engine, `return await workflow({ scriptPath: './other' })`, {
      workflows: { './other': `${meta('other')}return 'by path'` },
    })
    expect(run.result).toBe('by path')
  })

  test('has globals of its own', async () => {
    const run = await runScript(
      engine,
      `globalThis.leak = 1; const x = await workflow('inner'); return [x, globalThis.back === undefined]`,
      { workflows: { inner: `${meta('inner')}globalThis.back = 1; return globalThis.leak === undefined` } },
    )
    expect(run.result).toEqual([true, true])
  })

  test('nests one level only, and the inner call can be caught', async () => {
    const run = await runScript(engine, `return await workflow('b')`, {
      workflows: { b: meta('b') + attempt(`workflow('c')`), c: `${meta('c')}return 1` },
    })
    expect(run.result).toEqual([
      'WorkflowError',
      'NESTED_WORKFLOW',
      false,
      'workflow: a nested workflow can not call another one: one level only',
      '    at b.js:2:20',
    ])
  })

  test('an unknown name is an ordinary error with the known ones', async () => {
    const run = await runScript(engine, attempt(`workflow('nope')`), { workflows: { real: '' } })
    expect(run.result).toEqual([
      'WorkflowError',
      'UNKNOWN_WORKFLOW',
      false,
      'workflow "nope": no workflow is called "nope"; known: real',
      '    at test.js:2:20',
    ])
  })

  test('a script that can not be parsed is an ordinary error with its file and line', async () => {
    const run = await runScript(engine, attempt(`workflow('bad')`), {
      workflows: { bad: `${meta('bad')}const x = ;` },
    })
    expect(run.result).toEqual([
      'WorkflowError',
      'SCRIPT_PARSE',
      false,
      expect.stringMatching(/^workflow "bad": bad\.js:2:11: /),
      '    at test.js:2:20',
    ])
    expect(run.state.groups).toEqual([])
  })

  test('what it throws is an ordinary error that names its file and line', async () => {
    const run = await runScript(
      engine,
      `const [a] = await parallel([() => workflow('bad')])
       ${attempt(`workflow('bad')`)}`,
      { workflows: { bad: `${meta('bad')}await agent('x')\nnull.x` } },
    )
    expect(run.result).toEqual([
      'WorkflowError',
      'NESTED_WORKFLOW',
      false,
      `workflow "bad" failed at bad.js:3:6: TypeError: Cannot read properties of null (reading 'x')`,
      '    at test.js:3:27',
    ])
    expect(run.warnings[0]).toMatch(
      /^parallel: slot 0 became null: WorkflowError: workflow "bad" failed at bad\.js:3:6/,
    )
    expect(run.state.groups).toMatchObject([
      { status: 'failed', error: { file: 'bad.js', line: 3, code: 'SCRIPT_ERROR' } },
      { status: 'failed' },
    ])
  })

  test('a result that is no JSON fails the call, not the run', async () => {
    const run = await runScript(engine, attempt(`workflow('bad')`), {
      workflows: { bad: `${meta('bad')}return { items: [1, new Date(0)] }` },
    })
    expect(run.result).toMatchObject({ 1: 'RESULT_NOT_JSON', 2: false })
    expect(String((run.result as string[])[3])).toContain('result.items[1] is a Date') // the array of the attempt above
  })

  test('a workflow that calls itself by name or by path is refused at once', async () => {
    const text = `${meta('me')}${attempt(`workflow('me')`)}`
    const run = await runScript(engine, text, { workflows: { me: text } })
    expect(run.result).toMatchObject({ 1: 'NESTED_WORKFLOW', 2: false, 3: 'workflow "me": workflow "me" calls itself' })
    const byPath = await runScript(engine, attempt(`workflow({ scriptPath: 'alias' })`), {
      path: '/workflows/alias.js',
      workflows: { alias: `${meta('other')}return 1` },
    })
    expect(byPath.result).toMatchObject({ 1: 'NESTED_WORKFLOW', 3: 'workflow "alias": workflow "test" calls itself' })
  })

  test('shares the caps of its caller, whose end it is when they are reached', async () => {
    const run = await runScript(
      engine,
      `await agent('1'); await agent('2'); await agent('3')
       try { return await workflow('inner') } catch (e) { return [e.code, e.fatal] }`,
      {
        maxAgents: 5,
        workflows: { inner: `${meta('inner')}return await parallel([1, 2, 3].map((i) => () => agent('in' + i)))` },
      },
    )
    expect(run.result).toEqual(['AGENT_CAP', true])
    expect(run.state.agents.length).toBe(5)
  })

  test('shares the budget', async () => {
    const run = await runScript(engine, `await agent('1'); return [await workflow('inner'), budget.spent()]`, {
      budgetTokens: 20,
      workflows: {
        inner: `${meta('inner')}await agent('2'); ${attempt(`agent('3')`)}`,
      },
    })
    expect(run.result).toMatchObject([{ 1: 'BUDGET_EXCEEDED', 2: false }, 20])
  })

  test.each([
    [`workflow()`, 'got undefined'],
    [`workflow({})`, 'got an object'],
    [`workflow('')`, 'got an empty text'],
  ])('%s is misuse', async (call, given) => {
    const run = await runScript(engine, attempt(call))
    expect(run.result).toMatchObject({
      1: 'INVALID_ARGUMENT',
      2: true,
      3: `workflow: takes a name or { scriptPath }, ${given}`,
    })
  })

  test.each([
    [
      `workflow({ scriptPath: 'x', args: 1 })`,
      'a reference has scriptPath alone, got also "args"; args are the second argument',
    ],
    [`workflow('x', 1, 2)`, 'takes a name or { scriptPath } and args, got also the number 2'],
  ])('%s is misuse: nothing that is given is passed over', async (call, message) => {
    const run = await runScript(engine, attempt(call))
    expect(run.result).toMatchObject({ 1: 'INVALID_ARGUMENT', 2: true, 3: `workflow: ${message}` })
  })

  test('args that are no JSON are misuse', async () => {
    const run = await runScript(engine, attempt(`workflow('x', { a: [() => 1] })`))
    expect(run.result).toMatchObject({ 1: 'INVALID_ARGUMENT', 3: 'workflow: args.a[0] is a function' })
  })

  test('phases of its own meta give defaults within it alone', async () => {
    const run = await runScript(engine, `phase('P'); await agent('outer'); await workflow('inner')`, {
      workflows: {
        inner: `${meta('inner', `, phases: [{ title: 'P', model: 'm' }]`)}phase('P'); await agent('inner')`,
      },
    })
    expect(run.state.agents.map(({ label, model }) => [label, model])).toEqual([
      ['outer', undefined],
      ['inner', 'm'],
    ])
  })
})
