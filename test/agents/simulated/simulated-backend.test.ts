import { afterAll, describe, expect, it } from 'vitest'
import { createAnswerGenerator } from '../../../src/agents/simulated/generate/answer-generator.ts'
import type { Fixtures } from '../../../src/agents/simulated/fixtures-schema.ts'
import {
  createSimulatedBackend,
  type SimulatedBackendOptions,
} from '../../../src/agents/simulated/simulated-backend.ts'
import type { AgentRequest } from '../../../src/engine/index.ts'
import { asAgentNumber, asCallKey, asCallPath, asRunId, type JsonObject } from '../../../src/shared/index.ts'
import { realClock, TestClock } from '../clocks.ts'
import { assertDead, assertOk, makeRequest, makeStructured, NO_HOST, ProgressLog } from '../requests.ts'

const generator = createAnswerGenerator({
  worker: new URL('../../../src/agents/simulated/generate/answer-worker.ts', import.meta.url),
})
afterAll(() => generator.dispose())

function simulate(options: Partial<SimulatedBackendOptions> = {}) {
  const clock = new TestClock()
  const backend = createSimulatedBackend({ clock, generator, ...options })
  const log = new ProgressLog()
  return {
    clock,
    log,
    run: (request: AgentRequest, signal: AbortSignal = new AbortController().signal) =>
      backend.runner.run(request, NO_HOST, signal, log.add),
  }
}

function withFixtures(calls: Fixtures['calls'], rest: Partial<Fixtures> = {}) {
  return simulate({ fixtures: { calls, ...rest } })
}

const RUN = asRunId('RUN')
/** A call of one run: number and key follow from `n`. */
function call(n: number, rest: Partial<AgentRequest> = {}): AgentRequest {
  return makeRequest({
    runId: RUN,
    agent: asAgentNumber(n),
    path: asCallPath(`/agent:${n - 1}`),
    key: asCallKey(n.toString(16).padStart(64, '0')),
    ...rest,
  })
}

const FINDINGS: JsonObject = {
  type: 'object',
  properties: {
    findings: {
      type: 'array',
      items: {
        type: 'object',
        properties: { file: { type: 'string' }, line: { type: 'integer' }, severity: { enum: ['low', 'high'] } },
        required: ['file', 'line', 'severity'],
      },
    },
  },
  required: ['findings'],
}

describe('a text answer', () => {
  it('names what was asked, says that it is simulated, and is the same for the same key and seed alone', async () => {
    const prompt = 'Review the change to `src/a.ts`.\nLook only for leftovers.'
    const first = assertOk(await simulate().run(call(1, { prompt })))
    expect(first.output).toContain('[simulated]')
    expect(first.output).toContain('Review the change to `src/a.ts`.')
    expect(await simulate().run(call(1, { prompt }))).toEqual(first)
    expect(assertOk(await simulate({ seed: 1 }).run(call(1, { prompt }))).output).not.toBe(first.output)
    expect(assertOk(await simulate().run(call(2, { prompt }))).output).not.toBe(first.output)
  })
})

describe('a structured answer', () => {
  it('is made from the schema, valid, readable, and the same for the same key and seed alone', async () => {
    const request = (n: number) => call(n, { structured: makeStructured(FINDINGS) })
    const first = assertOk(await simulate().run(request(1)))
    expect(first.output).toEqual({
      findings: expect.arrayContaining([
        {
          file: expect.stringMatching(/^src\/\w+\/\w+-\d+\.ts$/),
          line: expect.any(Number),
          severity: expect.stringMatching(/low|high/),
        },
      ]),
    })
    expect(first.rejections).toBeUndefined()
    expect(await simulate().run(request(1))).toEqual(first)
    expect(await simulate().run(request(2))).not.toEqual(first)
  })

  it('of a schema that nothing fits fails in words', async () => {
    const dead = assertDead(await simulate().run(call(1, { structured: makeStructured(false) })))
    expect(dead.failure).toBe('schema')
    expect(dead.error).toContain('No answer could be made up that the schema of "hello" accepts')
  })

  it('of a hostile schema fails within the time limit, and the calls beside it are answered', async () => {
    const impatient = createAnswerGenerator({
      worker: new URL('../../../src/agents/simulated/generate/answer-worker.ts', import.meta.url),
      timeoutMs: 1_500,
    })
    try {
      const { run } = simulate({ generator: impatient })
      const list = (items: JsonObject): JsonObject => ({ type: 'array', minItems: 3_000, items })
      const endless = {
        ...makeStructured(true),
        schema: list(list(list({ type: 'string', pattern: '^(a{900}){900}$' }))),
      }
      const [hostile, ...others] = await Promise.all([
        run(call(1, { structured: endless })),
        ...[2, 3, 4].map((n) => run(call(n, { structured: makeStructured(FINDINGS) }))),
      ])
      expect(assertDead(hostile).failure).toBe('schema')
      expect(others.map((answer) => answer.kind)).toEqual(['ok', 'ok', 'ok'])
    } finally {
      await impatient.dispose()
    }
  })
})

describe('time', () => {
  it('is virtual on a virtual clock: a fan-out takes as long as its slowest call, in no time', async () => {
    const { run, clock } = simulate({
      history: ({ label }) => [{ durationMs: label === 'slow' ? 3_600_000 : 60_000, outputTokens: 5, costUsd: 0.25 }],
    })
    const begun = performance.now()
    const answers = await Promise.all([1, 2, 3].map((n) => run(call(n, { label: n === 2 ? 'slow' : 'fast' }))))
    expect(clock.now()).toBe(3_600_000)
    expect(performance.now() - begun).toBeLessThan(5_000)
    expect(answers.map((answer) => assertOk(answer).usage)).toEqual(
      Array.from({ length: 3 }, () => ({ outputTokens: 5, costUsd: 0.25 })),
    )
  })

  it('follows history where only durations are known, and asks it for nothing that a fixture says', async () => {
    const asked: string[] = []
    const fixtures: Fixtures = { calls: [{ match: { label: 'told' }, delayMs: 10, usage: { outputTokens: 7 } }] }
    const { run, clock } = simulate({
      fixtures,
      history: ({ label }) => {
        asked.push(label)
        return [{ durationMs: 90_000 }]
      },
    })
    expect(assertOk(await run(call(1, { label: 'told' }))).usage).toMatchObject({ outputTokens: 7 })
    expect(clock.now()).toBe(10)
    expect(assertOk(await run(call(2, { label: 'silent' }))).usage.outputTokens).toBeGreaterThan(0)
    expect(clock.now()).toBe(90_010)
    expect(asked).toEqual(['silent'])
  })

  it('without history follows from sizes, the same each time', async () => {
    const durations = await Promise.all(
      [call(1), call(1), call(1, { prompt: 'x'.repeat(400_000) })].map(async (request) => {
        const { run, clock } = simulate()
        const { usage } = assertOk(await run(request))
        return { ms: clock.now(), usage }
      }),
    )
    const [short, again, long] = durations
    expect(again).toEqual(short)
    expect(short?.ms).toBeGreaterThan(1_000)
    expect(long?.ms).toBeGreaterThan(10_000 + (short?.ms ?? 0))
    expect(long?.usage.inputTokens).toBeGreaterThan(100_000)
  })

  it('in real time passes at the pace asked for, with tool calls and text to be seen', async () => {
    const { run, log } = simulate({ clock: realClock, paceMs: 5 })
    const answer = assertOk(await run(call(1)))
    const kinds = new Set(log.all.map((progress) => progress.kind))
    expect(kinds).toEqual(new Set(['tool', 'text']))
    const text = log.all.map((progress) => (progress.kind === 'text' ? progress.text : '')).join('')
    expect(text).toBe(answer.output)
  })

  it.each([
    ['virtual', new TestClock()],
    ['real', realClock],
  ])('stops at once when the call is cancelled in %s time', async (_name, clock) => {
    const controller = new AbortController()
    // Nobody lets a held virtual clock go on.
    const release = clock.hold()
    const { run } = simulate({ clock, fixtures: { calls: [{ delayMs: 600_000 }] } })
    const running = run(call(1), controller.signal)
    setImmediate(() => {
      controller.abort()
    })
    expect(assertDead(await running).error).toBe('The call was cancelled.')
    release()
    expect(assertDead(await run(call(2), AbortSignal.abort())).error).toBe('The call was cancelled.')
  })
})

describe('fixtures', () => {
  it('are chosen by label, prompt, phase, path and regular expression; the first that fits answers', async () => {
    const { run } = withFixtures([
      { match: { label: 'a', phase: 'Review' }, answer: 'label and phase' },
      { match: { path: '/agent:6' }, answer: 'path' },
      { match: { promptIncludes: 'needle' }, answer: 'substring' },
      { match: { promptMatches: '^Verify \\d+$' }, answer: 'pattern' },
      { match: { labelMatches: '^b' }, answer: 'label pattern' },
      { match: { phase: null, label: 'a' }, answer: 'no phase' },
      { answer: 'rest' },
    ])
    const answers = await Promise.all([
      run(call(1, { label: 'a', phase: 'Review' })),
      run(call(2, { label: 'a' })),
      run(call(3, { prompt: 'a needle in it' })),
      run(call(4, { prompt: 'Verify 12' })),
      run(call(5, { label: 'bcd' })),
      run(call(6, { label: 'z' })),
      run(call(7)),
    ])
    expect(answers.map((answer) => assertOk(answer).output)).toEqual([
      'label and phase',
      'no phase',
      'substring',
      'pattern',
      'label pattern',
      'rest',
      'path',
    ])
  })

  it('are counted by call in their order, and a retried call stays the one it was', async () => {
    const { run } = withFixtures([
      {
        match: { label: 'v', attempt: 1, nth: 2 },
        error: { message: 'first try of the second', failure: 'transient' },
      },
      { match: { label: 'v', nth: 2 }, answer: 'second' },
      { match: { labelMatches: 'v', nth: 3 }, answer: 'third' },
      { match: { label: 'v' }, answer: 'other' },
    ])
    const answers = await Promise.all([1, 2, 3, 4].map((n) => run(call(n, { label: 'v' }))))
    const again = await run(call(2, { label: 'v', attempt: 2 }))
    expect([...answers, again].map((answer) => (answer.kind === 'ok' ? answer.output : answer))).toEqual([
      'other',
      expect.objectContaining({ kind: 'dead', failure: 'transient', error: 'first try of the second' }),
      'third',
      'other',
      'second',
    ])
  })

  it('give errors, skips, delays and usage', async () => {
    const { run, clock } = withFixtures([
      {
        match: { label: 'quota' },
        error: { message: 'used up', failure: 'quota', retryAfterMs: 60_000, partial: 'so far' },
        delayMs: 1_000,
        usage: { outputTokens: 3 },
      },
      { match: { label: 'gone' }, error: { message: 'no such agent', notStarted: true } },
      { match: { label: 'plain' }, error: 'just this' },
      { match: { label: 'skip' }, skip: true, delayMs: 10 },
      { match: { label: 'answer' }, answer: { a: 1 }, delayMs: 500, usage: { outputTokens: 7, costUsd: 1 } },
    ])
    expect(await run(call(1, { label: 'quota' }))).toEqual({
      kind: 'dead',
      error: 'used up',
      failure: 'quota',
      retryAt: 60_000,
      partial: 'so far',
      usage: { outputTokens: 3, inputTokens: expect.any(Number) },
    })
    expect(clock.now()).toBe(1_000)
    expect(await run(call(2, { label: 'gone' }))).toEqual({
      kind: 'dead',
      error: 'no such agent',
      failure: 'other',
      notStarted: true,
    })
    expect(await run(call(3, { label: 'plain' }))).toMatchObject({ kind: 'dead', error: 'just this', failure: 'other' })
    expect(await run(call(4, { label: 'skip' }))).toEqual({ kind: 'skipped' })
    const before = clock.now()
    expect(await run(call(5, { label: 'answer' }))).toMatchObject({
      output: '{"a":1}',
      usage: { outputTokens: 7, costUsd: 1 },
    })
    expect(clock.now() - before).toBe(500)
  })

  it('give wrong answers first, which the schema refuses, as many as the call puts up with', async () => {
    const schema: JsonObject = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    const fixture = { invalid: [{ n: 'x' }, 'text'], answer: { n: 1 } }
    const { run, log } = withFixtures([fixture])
    expect(await run(call(1, { structured: makeStructured(schema, 2) }))).toMatchObject({
      kind: 'ok',
      output: { n: 1 },
      rejections: 2,
    })
    expect(log.all).toEqual([
      { kind: 'rejected', errors: ['/n must be integer'], answer: '{"n":"x"}' },
      { kind: 'rejected', errors: ['/ must be object'], answer: 'text' },
    ])
    const dead = await run(call(2, { structured: makeStructured(schema, 1) }))
    expect(dead).toMatchObject({
      kind: 'dead',
      failure: 'schema',
      error: 'None of 2 answers matched the schema: / must be object',
      partial: 'text',
      rejections: 2,
    })
  })

  it('whose answer does not match the schema are named with the errors', async () => {
    const { run } = withFixtures([{ match: { label: 'other' }, answer: 1 }, { answer: { n: 'x' } }])
    const dead = assertDead(
      await run(
        call(1, {
          label: 'count',
          structured: makeStructured({ type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }),
        }),
      ),
    )
    expect(dead.failure).toBe('schema')
    expect(dead.error).toBe('The answer of fixture 2 does not match the schema of "count": /n must be integer')
  })

  it('give progress and ask for permission', async () => {
    const asked: unknown[] = []
    const answers = ['allow-once', 'reject', 'reject'] as const
    const askPermission: AgentRequest['askPermission'] = (question) => {
      asked.push(question)
      return Promise.resolve({ answer: answers[asked.length - 1] ?? 'reject', by: 'user' })
    }
    const permission = { title: 'Run npm test', detail: 'in the workspace' }
    const fixtures: Fixtures = {
      calls: [
        {
          match: { label: 'careful' },
          permission: { ...permission, options: ['allow-once', 'reject'], rejected: 'did without' },
          answer: 'did it',
        },
        { permission, answer: 'did it', progress: ['thinking', { tool: 'Run', title: 'npm test', status: 'running' }] },
      ],
    }
    const { run, log } = simulate({ fixtures })
    expect(assertOk(await run(call(1, { askPermission }))).output).toBe('did it')
    expect(log.all).toEqual([
      { kind: 'text', text: 'thinking' },
      { kind: 'tool', tool: 'Run', title: 'npm test', status: 'running' },
    ])
    expect(await run(call(2, { askPermission }))).toMatchObject({
      failure: 'refused',
      error: 'Permission was refused: Run npm test',
    })
    expect(assertOk(await run(call(3, { label: 'careful', askPermission }))).output).toBe('did without')
    expect(asked).toEqual([
      { id: '1.1', ...permission, options: ['allow-once', 'allow-run', 'reject'] },
      { id: '2.1', ...permission, options: ['allow-once', 'allow-run', 'reject'] },
      { id: '3.1', ...permission, options: ['allow-once', 'reject'] },
    ])
    expect(assertOk(await withFixtures(fixtures.calls).run(call(4))).output).toBe('did it')
  })

  it('that fit no call leave it generated, or let it fail where the file says so', async () => {
    const calls = [{ match: { label: 'other' }, answer: 'x' }]
    expect(assertOk(await withFixtures(calls).run(call(1))).output).toContain('[simulated]')
    expect(assertDead(await withFixtures(calls, { otherwise: 'fail' }).run(call(1, { phase: 'Review' }))).error).toBe(
      'No fixture fits the call "hello" in phase "Review" at /agent:0.',
    )
  })

  it('with a pattern that never ends fail that call alone, in time', async () => {
    const impatient = createAnswerGenerator({
      worker: new URL('../../../src/agents/simulated/generate/answer-worker.ts', import.meta.url),
      timeoutMs: 1_500,
    })
    try {
      const { run } = simulate({
        generator: impatient,
        fixtures: { calls: [{ match: { promptMatches: '^(a+)+$' }, answer: 'x' }, { answer: 'rest' }] },
      })
      const [hostile, other] = await Promise.allSettled([
        run(call(1, { prompt: `${'a'.repeat(60)}!` })),
        run(call(2, { prompt: 'short' })),
      ])
      expect(hostile).toMatchObject({ status: 'fulfilled', value: { kind: 'dead', failure: 'other' } })
      expect(other).toMatchObject({ status: 'fulfilled', value: { output: 'rest' } })
    } finally {
      await impatient.dispose()
    }
  })
})

describe('failures', () => {
  it('are injected into about the share of calls asked for, the same ones each time and in each attempt', async () => {
    const failing = async (seed: number, attempt: number) => {
      const { run } = simulate({ failRate: 0.3, seed })
      const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => run(call(n + 1, { attempt }))))
      return answers.flatMap((answer, n) => (answer.kind === 'dead' ? [n] : []))
    }
    const first = await failing(7, 1)
    expect(first.length).toBeGreaterThan(40)
    expect(first.length).toBeLessThan(80)
    expect(await failing(7, 2)).toEqual(first)
    expect(await failing(8, 1)).not.toEqual(first)
  })

  it('are injected into the calls named by label or path, also over a fixture', async () => {
    const { run } = simulate({
      failCalls: ['judge', '/agent:1'],
      fixtures: { calls: [{ match: { label: 'judge' }, answer: 'x' }] },
    })
    expect(assertDead(await run(call(1, { label: 'judge' }))).error).toContain('"judge" is among the calls to fail')
    expect(assertDead(await run(call(2))).error).toContain('/agent:1 is among the calls to fail')
    expect((await run(call(3))).kind).toBe('ok')
  })
})

describe('recorded answers', () => {
  it('are given with what they took, and generated answers where there are none', async () => {
    const { run, clock } = simulate({
      recorded: ({ label }) =>
        label === 'known' ? { output: 'as it was', usage: { outputTokens: 9 }, durationMs: 70_000 } : undefined,
    })
    expect(await run(call(1, { label: 'known' }))).toEqual({
      kind: 'ok',
      output: 'as it was',
      usage: { outputTokens: 9 },
    })
    expect(clock.now()).toBe(70_000)
    expect(assertOk(await run(call(2))).output).toContain('[simulated]')
  })
})
