import { afterAll, describe, expect, test } from 'vitest'
import { createBackend, USAGE } from '../../support/engine/scripted-backend.ts'
import { createTestEngine, HOST, runScript, withMeta } from '../../support/engine/run-script.ts'

const engine = await createTestEngine()
afterAll(() => engine.dispose())

/** Runs `agent(...)` with these arguments and returns what it threw. */
async function misuse(args: string, options = {}) {
  const run = await runScript(
    engine,
    `try { await agent(${args}); return 'no error' } catch (e) { return [e.name, e.code, e.fatal, e.message] }`,
    options,
  )
  expect(run.state.agents).toEqual([])
  return run.result
}

describe('agent()', () => {
  test('resolves to the final text and tells its place, label, phase and usage', async () => {
    const run = await runScript(engine, `phase('Look'); return await agent('Say hello', { label: 'greeting' })`)
    expect(run.result).toBe('answer to Say hello')
    const { path, key, label, phase, group, backend, promptPreview, promptLength, site, status, usage } =
      run.state.agents[0]!
    expect({ path, label, phase, group, backend, promptPreview, promptLength, site, status, usage }).toEqual({
      path: '/agent:0',
      label: 'greeting',
      phase: 'Look',
      group: 0,
      backend: 'test',
      promptPreview: 'Say hello',
      promptLength: 9,
      site: { line: 2, column: 29 },
      status: 'completed',
      usage: USAGE,
    })
    expect(key).toMatch(/^[0-9a-f]{64}$/)
  })

  test('hands every option to the back end and takes the label from the prompt where none is given', async () => {
    const run = await runScript(
      engine,
      `return await agent('Fix it\\nnow', { model: 'm', effort: 'high', agentType: 'reviewer', allowedTools: ['read'], isolation: 'worktree', phase: 'P', schema: undefined })`,
    )
    const { runId, lineage, agent, path, attempt, prompt, label, phase, cwd, ...rest } = run.backend.requests[0]!
    expect({ agent, path, attempt, prompt, label, phase, cwd }).toEqual({
      agent: 1,
      path: '/agent:0',
      attempt: 1,
      prompt: 'Fix it\nnow',
      label: 'Fix it now',
      phase: 'P',
      cwd: '/workspace',
    })
    expect([runId, lineage]).toEqual([run.runId, run.runId])
    // As it was given: the handle throws when anybody looks into it.
    expect(Object.is(run.backend.hosts[0], HOST)).toBe(true)
    expect(rest).toMatchObject({
      model: 'm',
      effort: 'high',
      agentType: 'reviewer',
      allowedTools: ['read'],
      isolation: 'worktree',
    })
  })

  test.each([
    [`5`, 'the prompt has to be a non-empty text, got the number 5'],
    [`''`, 'the prompt has to be a non-empty text, got an empty text'],
    [``, 'the prompt has to be a non-empty text, got undefined'],
    [`agent`, 'the prompt has to be a non-empty text, got a function; call it to get the text'],
    [`Promise.resolve('x')`, 'the prompt has to be a non-empty text, got a promise'],
    [`'x', null`, 'the options have to be an object, got null'],
    [`'x', ['a']`, 'the options have to be an object, got an array of 1'],
    [`'x', new Map([['model', 'm']])`, 'the options have to be a plain object, got a Map'],
    [`'x', new (class Options { model = 'm' })()`, 'the options have to be a plain object, got an Options'],
    [`'x', Object.create({ model: 'm' })`, 'the options have to be a plain object, got an object of a class'],
    [`'x', Promise.resolve({ model: 'm' })`, 'the options have to be a plain object, got a promise'],
    [`'x', {}, { model: 'm' }`, 'takes a prompt and options, got also an object'],
    [`'x', { label: 5 }`, 'option label takes a non-empty text, got the number 5'],
    [`'x', { schema: 'string' }`, 'option schema takes a JSON Schema: an object, true or false, got the text "string"'],
    [
      `'x', { effort: 'extreme' }`,
      'option effort takes one of "low", "medium", "high", "xhigh", "max", got the text "extreme"',
    ],
    [`'x', { isolation: 'container' }`, 'option isolation takes the text "worktree", got the text "container"'],
    [`'x', { allowedTools: 'read' }`, 'option allowedTools takes an array of tool names, got the text "read"'],
    [`'x', { schema: { when: new Date(0) } }`, 'option schema.when is a Date'],
    [`'x', { agentType: 'a\\nFAKE LOG', label: 1n }`, 'option label is a BigInt'],
  ])('agent(%s) is a fatal INVALID_ARGUMENT that says what was given', async (args, message) => {
    expect(await misuse(args)).toEqual(['WorkflowError', 'INVALID_ARGUMENT', true, `agent: ${message}`])
  })

  test('an unknown option is fatal and named with its nearest neighbour', async () => {
    expect(await misuse(`'x', { lable: 'a' }`)).toEqual([
      'WorkflowError',
      'UNKNOWN_OPTION',
      true,
      'agent: unknown option "lable"; did you mean label?',
    ])
    expect(await misuse(`'x', { [Symbol('model')]: 'm' }`)).toMatchObject({ 1: 'UNKNOWN_OPTION', 2: true })
    expect(await misuse(`'x', JSON.parse('{"__proto__":{"model":"m"}}')`)).toMatchObject({ 1: 'UNKNOWN_OPTION' })
    expect(await misuse(`'x', { 'a\\nb': 1 }`)).toEqual([
      'WorkflowError',
      'UNKNOWN_OPTION',
      true,
      expect.stringMatching(/^agent: unknown option "a\\nb"; known options: label, phase, schema, /),
    ])
  })

  test('an unknown provider is fatal and the known ones are named', async () => {
    const other = createBackend(undefined, { id: 'claude' })
    expect(await misuse(`'x', { provider: 'cluade' }`, { otherBackends: [other] })).toEqual([
      'WorkflowError',
      'INVALID_ARGUMENT',
      true,
      'agent: provider "cluade" is no back end; did you mean claude?',
    ])
    expect(await misuse(`'x', { provider: 'zzz' }`, { otherBackends: [other] })).toEqual([
      'WorkflowError',
      'INVALID_ARGUMENT',
      true,
      'agent: provider "zzz" is no back end; known back ends: test, claude',
    ])
  })

  test('provider picks another back end, which is not given the run’s model', async () => {
    const other = createBackend(() => 'from the other', { id: 'other' })
    const run = await runScript(engine, `return [await agent('a'), await agent('b', { provider: 'other' })]`, {
      otherBackends: [other],
      model: 'big',
    })
    expect(run.result).toEqual(['answer to a', 'from the other'])
    expect(run.backend.requests[0]?.model).toBe('big')
    expect(other.requests[0]?.model).toBeUndefined()
    expect(run.state.agents.map(({ backend }) => backend)).toEqual(['test', 'other'])
  })

  test.each([
    ['models', `model: 'm'`, 'can not choose a model (option model)'],
    ['effort', `effort: 'low'`, 'has no setting for effort (option effort)'],
    ['agentType', `agentType: 'a'`, 'has no named agent types (option agentType)'],
    ['allowedTools', `allowedTools: []`, 'can not restrict tools (option allowedTools)'],
    ['worktree', `isolation: 'worktree'`, 'can not give an agent a worktree of its own (option isolation)'],
  ])('a back end without %s refuses the option before the agent starts', async (capability, option, words) => {
    const agents = createBackend(undefined, { capabilities: { [capability]: false } })
    expect(await misuse(`'x', { ${option} }`, { agents })).toEqual([
      'WorkflowError',
      'UNSUPPORTED_OPTION',
      true,
      `agent: back end test ${words}`,
    ])
  })

  test('a back end’s own refusal is passed on in its words', async () => {
    const agents = createBackend(undefined, {
      refuse: ({ model }) => (model === 'x' ? 'back end test does not know the model x' : undefined),
    })
    expect(await misuse(`'a', { model: 'x' }`, { agents })).toEqual([
      'WorkflowError',
      'UNSUPPORTED_OPTION',
      true,
      'agent: back end test does not know the model x',
    ])
  })

  test('an unavailable back end is fatal before the first start, and asked once', async () => {
    let asked = 0
    const agents = createBackend(undefined, {
      unavailable: () => Promise.resolve(++asked > 0 ? 'not signed in' : undefined),
    })
    const run = await runScript(engine, `return await parallel([1, 2, 3].map((i) => () => agent('a' + i)))`, { agents })
    expect(run.settlement.outcome).toBe('error')
    expect(run.settlement.error).toMatchObject({
      code: 'AGENT_START',
      message: 'back end test can not run agents: not signed in',
      line: 2,
      column: 50,
    })
    expect([asked, run.state.agents]).toEqual([1, []])
  })

  test('an agent that fails is null, and the run is degraded', async () => {
    const run = await runScript(engine, `return [await agent('a'), await agent('b')]`, {
      agents: ({ prompt }) => (prompt === 'a' ? { kind: 'dead', error: 'no idea', failure: 'other' } : 'fine'),
    })
    expect(run.result).toEqual([null, 'fine'])
    expect(run.settlement).toMatchObject({ outcome: 'completed', degraded: true })
    expect(run.state.agents[0]).toMatchObject({ status: 'failed', error: { message: 'no idea', failure: 'other' } })
  })

  test('a skipped agent is null and no failure', async () => {
    const run = await runScript(engine, `return await agent('a')`, { agents: () => ({ kind: 'skipped' }) })
    expect(run.result).toBeNull()
    expect([run.settlement.degraded, run.state.agents[0]?.status]).toEqual([false, 'skipped'])
  })

  test('an agent that could not start is fatal', async () => {
    const run = await runScript(engine, `return await parallel([() => agent('a')])`, {
      agents: () => ({ kind: 'dead', error: 'no such program: xyz', failure: 'other', notStarted: true }),
    })
    expect(run.settlement.error).toMatchObject({
      code: 'AGENT_START',
      message: 'back end test could not start an agent: no such program: xyz',
    })
    expect(run.state.agents[0]?.status).toBe('failed')
  })

  test('a runner that throws is a failed agent with its message', async () => {
    const run = await runScript(engine, `return await agent('a')`, {
      agents: () => {
        throw new Error('bug in the runner')
      },
    })
    expect(run.result).toBeNull()
    expect(run.state.agents[0]?.error?.message).toBe('back end test failed: bug in the runner')
  })

  test('prompts and answers cross byte for byte, whatever is in them', async () => {
    const answer = `é 你好 \u{1F600} \u0000 \r\n "quotes" </output> ${'x'.repeat(5_000_000)}`
    const run = await runScript(
      engine,
      `const a = await agent('import("x") <!-- --> eval( \\r\\n \\u{1F600}'); return [a.length, a]`,
      { agents: () => answer },
    )
    expect(run.backend.requests[0]?.prompt).toBe('import("x") <!-- --> eval( \r\n \u{1F600}')
    expect(run.result).toEqual([answer.length, answer])
  })

  test('a lone surrogate never leaves the sandbox', async () => {
    const run = await runScript(engine, `await agent('a\\ud83d b'); return ['\\udc00', { 'k\\ud800': 1 }]`)
    expect(run.backend.requests[0]?.prompt).toBe('a\ufffd b')
    expect(run.result).toEqual(['\ufffd', { 'k\ufffd': 1 }])
  })

  test('a prompt of several lines has the same key in a file with CRLF as in one with LF', async () => {
    const text = `${withMeta('')}await agent(\`one\ntwo\`)\n`
    const [unix, windows] = await Promise.all([
      runScript(engine, text),
      runScript(engine, text.replaceAll('\n', '\r\n')),
    ])
    expect(windows.backend.requests[0]?.prompt).toBe('one\ntwo')
    expect(windows.rows[0]?.key).toBe(unix.rows[0]?.key)
  })

  test('the same call has the same key whatever its label, phase and order of fields', async () => {
    const run = await runScript(
      engine,
      `await agent('a', { model: 'm', schema: { type: 'object', properties: { x: {}, y: {} } }, label: 'one' })
       await agent('a', { schema: { properties: { y: {}, x: {} }, type: 'object' }, phase: 'P', model: 'm' })
       await agent('a', { model: 'n', schema: { type: 'object', properties: { x: {}, y: {} } } })`,
      { agents: () => ({ kind: 'ok', output: {}, usage: USAGE }) },
    )
    const [first, second, third] = run.state.agents.map(({ key }) => key)
    expect(first).toBe(second)
    expect(first).not.toBe(third)
  })

  test('defaults of a phase count for agents that name none themselves', async () => {
    const other = createBackend(undefined, { id: 'other' })
    const run = await runScript(
      engine,
      `export const meta = { name: 'test', description: 'd', phases: [{ title: 'Deep', provider: 'other', model: 'slow' }] }
       await agent('a')
       phase('Deep')
       await agent('b')
       await agent('c', { model: 'quick' })
       await agent('d', { phase: 'Else' })`,
      { otherBackends: [other] },
    )
    expect(run.state.agents.map(({ backend, model, phase }) => [phase, backend, model])).toEqual([
      [null, 'test', undefined],
      ['Deep', 'other', 'slow'],
      ['Deep', 'other', 'quick'],
      ['Else', 'test', undefined],
    ])
  })
})

describe('caps', () => {
  test('the agent after the last allowed one is fatal, also inside parallel, and running agents are aborted', async () => {
    const run = await runScript(engine, `return await parallel([1,2,3,4,5,6,7,8].map((i) => () => agent('a' + i)))`, {
      maxAgents: 5,
      agents: (_request, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ kind: 'dead', error: 'aborted', failure: 'other' }))
        }),
    })
    expect(run.settlement.outcome).toBe('error')
    expect(run.settlement.error).toMatchObject({
      code: 'AGENT_CAP',
      message: 'this run may call at most 5 agents, and they are used up',
      line: 2,
    })
    expect(run.state.calls).toMatchObject({ cancelled: 5, completed: 0 })
    expect(run.backend.running).toBe(0)
  })

  test('a thousand agents run, and the 1001st throws AGENT_CAP', async () => {
    const run = await runScript(
      engine,
      `const done = await parallel(Array.from({ length: 1000 }, (_, i) => () => agent('a' + i)))
       try { await agent('one more') } catch (e) { return [done.filter(Boolean).length, e.code, e.fatal] }`,
    )
    expect(run.result).toEqual([1000, 'AGENT_CAP', true])
    expect(run.backend.mostRunning).toBeLessThanOrEqual(16)
  })
})
