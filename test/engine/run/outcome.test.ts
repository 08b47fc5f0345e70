import { afterAll, describe, expect, test } from 'vitest'
import { createTestEngine, runScript, startScript, finishRun } from '../../support/engine/run-script.ts'
import { MemoryStore } from '../../support/engine/memory-store.ts'
import { untilStopped } from '../../support/engine/scripted-backend.ts'

const engine = await createTestEngine()
afterAll(() => engine.dispose())

describe('a run', () => {
  test('has written run-started, with all that it was given, when start() returns', async () => {
    const store = new MemoryStore()
    let atStart: unknown
    const run = await startScript(engine, `return 1`, {
      store,
      args: { a: 1 },
      budgetTokens: 100,
      title: 'T',
      onStart: ({ handle }) => {
        atStart = store.record(handle.id).events.map(({ type }) => type)
      },
    })
    const { events } = await finishRun(run)
    expect(atStart).toEqual(['run-started'])
    expect(events[0]).toMatchObject({
      type: 'run-started',
      runId: run.handle.id,
      fileName: 'test.js',
      scriptPath: null,
      args: { a: 1 },
      budgetTokens: 100,
      maxConcurrentAgents: 16,
      maxAgents: 1000,
      startedBy: { kind: 'test' },
      lineage: run.handle.id,
      resumedFrom: null,
      title: 'T',
    })
    expect(events.map(({ type }) => type)).toEqual(['run-started', 'run-ended'])
  })

  test('that throws ends in error with the place in the author’s file and a stack of it', async () => {
    const run = await runScript(
      engine,
      `function check(finding) {\n  return finding.title.length\n}\nawait agent('a')\nawait Promise.all([1].map(async () => check({})))`,
      { fileName: 'review.js' },
    )
    expect(run.settlement).toEqual({
      outcome: 'error',
      degraded: false,
      result: null,
      error: {
        code: 'SCRIPT_ERROR',
        name: 'TypeError',
        message: "Cannot read properties of undefined (reading 'length')",
        file: 'review.js',
        line: 3,
        column: 24,
        stack: [
          "TypeError: Cannot read properties of undefined (reading 'length')",
          '    at check (review.js:3:24)',
          '    at review.js:6:39',
          '    at review.js:6:23',
        ].join('\n'),
      },
    })
  })

  test.each([
    [`throw 'text'`, 'the script threw the text "text"'],
    [`throw undefined`, 'the script threw undefined'],
    [`throw { code: 5 }`, 'the script threw an object'],
    [`throw null`, 'the script threw null'],
    [
      `throw new Proxy(new Error('x'), { get() { throw 1 }, getPrototypeOf() { throw 2 } })`,
      'the script threw an object that can not be looked at',
    ],
    [`throw Object.defineProperty(new Error('x'), 'message', { get() { throw 1 } })`, 'Error'],
    [`throw new AggregateError([new Error('a')], 'several')`, 'several'],
  ])('%s is told in words', async (text, message) => {
    const run = await runScript(engine, text)
    expect(run.settlement.error).toMatchObject({ code: 'SCRIPT_ERROR', message })
  })

  test('that waits for nothing is ended at once, and says why', async () => {
    const run = await runScript(engine, `await agent('a')\nawait new Promise(() => {})`)
    expect(run.settlement.error).toMatchObject({
      code: 'SCRIPT_WAITS',
      message: expect.stringMatching(/^the script waits for nothing: no agent and no nested workflow is outstanding/),
    })
  })

  test('whose promise never settles because of a lost error shows that error', async () => {
    const run = await runScript(
      engine,
      `await new Promise(async (resolve) => { throw new Error('lost in the executor') })`,
    )
    expect(run.settlement.error?.code).toBe('SCRIPT_WAITS')
    expect(run.warnings).toEqual(['a promise was rejected and nothing awaits it: Error: lost in the executor'])
  })

  test('in which agents take turns is not taken for one that waits for nothing', async () => {
    const run = await runScript(
      engine,
      `let draft = 'd', round = 0
       while (round++ < 20) { draft = await agent('produce ' + draft.length); if ((await agent('review ' + round)).endsWith('20')) break }
       return round`,
    )
    expect(run.result).toBe(20)
  })

  test('leaves no agent behind: those the script did not wait for are cancelled and counted', async () => {
    const run = await runScript(engine, `agent('left 1'); agent('left 2'); await agent('awaited'); return 'done'`, {
      agents: ({ prompt }, { signal }) => (prompt === 'awaited' ? 'ok' : untilStopped(signal)),
    })
    expect(run.settlement).toMatchObject({ outcome: 'completed', degraded: false, result: 'done' })
    expect(run.state.calls).toMatchObject({ completed: 1, cancelled: 2 })
    expect(run.backend.running).toBe(0)
  })

  test('says how many calls came to nothing because the script ended before any agent was queued for them', async () => {
    const run = await runScript(engine, `for (const n of [1, 2, 3]) agent('left ' + n); return 'done'`)
    expect([run.result, run.backend.requests.length]).toEqual(['done', 0])
    expect(run.warnings).toEqual(['3 agent calls came to nothing: the script ended without waiting (write `await`)'])
  })

  test('that threw has a message and a name in whole characters, of bounded length', async () => {
    const lone = await runScript(engine, `throw Object.assign(new Error('half \\ud83d'), { name: 'N\\udc00' })`)
    expect(lone.settlement.error).toMatchObject({ message: 'half \ufffd', name: 'N\ufffd' })
    const huge = await runScript(
      engine,
      `throw Object.assign(new Error('x' + '\\u{1F600}'.repeat(1e5)), { name: 'N'.repeat(1e6) })`,
    )
    const { message = '', name = '' } = huge.settlement.error ?? {}
    expect([message.length, message.at(-1), name.length]).toEqual([19_999, '\ude00', 200])
  })

  test('reports rejections that nobody heard, and only those', async () => {
    const run = await runScript(
      engine,
      `Promise.reject(new Error('lost'))
       const late = Promise.reject(new Error('heard late'))
       await agent('a')
       await late.catch(() => {})
       agent('x', { lable: 1 })
       return 1`,
    )
    expect(run.settlement.outcome).toBe('completed')
    expect(run.of('warning').map(({ message, line }) => [message, line])).toEqual([
      ['a promise was rejected and nothing awaits it: Error: lost', 2],
      [
        'a promise was rejected and nothing awaits it: WorkflowError: agent: unknown option "lable"; did you mean label?',
        6,
      ],
    ])
  })

  test('does not hear of another run’s rejections', async () => {
    const [first, second] = await Promise.all([
      runScript(engine, `Promise.reject(new Error('x')); await agent('a'); return 1`),
      runScript(engine, `await agent('a'); return 2`),
    ])
    expect([first.warnings.length, second.warnings, second.result]).toEqual([1, [], 2])
  })

  test('whose call can not be journalled ends in error, with every agent ended', async () => {
    const store = new MemoryStore()
    store.failing.closeCall = new Error('disk full')
    const { handle } = await startScript(engine, `await agent('a')`, { store })
    const settlement = await handle.settled
    expect(settlement).toMatchObject({ outcome: 'error', error: { code: 'INTERNAL', message: 'disk full' } })
    expect(store.record(handle.id).state).toMatchObject({ status: 'error', running: 0, queued: 0 })
  })

  test('whose result can not be stored ends in error', async () => {
    const store = new MemoryStore()
    store.failing.saveResult = new Error('disk full')
    const { handle } = await startScript(engine, `return 1`, { store })
    expect(await handle.settled).toMatchObject({ outcome: 'error', result: null, error: { message: 'disk full' } })
  })

  test('whose events can not be written still settles', async () => {
    const store = new MemoryStore()
    store.failing.append = new Error('no such table')
    const { handle } = await startScript(engine, `return 1`, { store })
    expect(await handle.settled).toMatchObject({
      outcome: 'error',
      error: { code: 'INTERNAL', message: 'no such table' },
    })
  })

  test('shows its notices as warnings right after the start', async () => {
    const run = await runScript(engine, `return 1`, { notices: [{ code: 'args/parsed', message: 'args were a text' }] })
    expect(run.events[1]).toMatchObject({ type: 'warning', code: 'args/parsed', message: 'args were a text' })
  })

  test.each([
    ['budgetTokens', 0],
    ['maxAgents', 0],
    ['maxConcurrentAgents', 0],
    ['maxConcurrentAgents', 257],
    ['maxAgents', 1.5],
    ['stallSeconds', -1],
  ])('with %s %d is refused before it starts', async (name, value) => {
    await expect(startScript(engine, `return 1`, { [name]: value })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(`${name} has to be`),
    })
  })
})
