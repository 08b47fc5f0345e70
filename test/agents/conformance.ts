// What every back end has to do alike, as one suite. A back end takes part by saying how it is made to behave; what it can't
// be made to do (a simulated agent has no process that could crash) it leaves out by name.

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { AgentBackend, AgentRequest, AgentRunResult } from '../../src/engine/index.ts'
import type { AgentProgress, FailureKind, JsonObject, JsonValue, Usage } from '../../src/shared/index.ts'
import { assertDead, assertOk, makeRequest, makeStructured, NO_HOST, ProgressLog } from './requests.ts'

export type Shown = Extract<AgentProgress, { kind: 'text' | 'tool' }>

export type Behaviour =
  /** Shows its progress, then answers; the next answer each time one was refused. */
  | { kind: 'answer'; answers: JsonValue[]; progress?: Shown[]; usage?: Usage; afterMs?: number }
  | {
      kind: 'error'
      failure: Extract<FailureKind, 'transient' | 'quota' | 'auth' | 'refused' | 'other'>
      message: string
    }
  /** Shows `text` and then nothing, for ever. */
  | { kind: 'hang'; text: string }
  /** Shows `text` and breaks down. */
  | { kind: 'crash'; text: string }
  /** Ends properly, without an answer. */
  | { kind: 'silence' }
  /** Says things that are no message before its answer. */
  | { kind: 'garbage'; lines: string[]; answer: string }

export interface ConformanceSubject {
  name: string
  make(behaviour: Behaviour): AgentBackend
  lacks?: readonly Behaviour['kind'][]
  /** What becomes of a usage whose parts its protocol has no place for. */
  tells?(usage: Usage): Usage
  /** The same for what it shows; the answer itself may be shown behind it. */
  shows?(shown: Shown): Shown
}

const SCHEMA: JsonObject = {
  type: 'object',
  properties: { verdict: { enum: ['yes', 'no'] }, notes: { type: 'array', items: { type: 'string' } } },
  required: ['verdict'],
  additionalProperties: false,
}

export function describeConformance({ name, make, lacks = [], tells, shows }: ConformanceSubject): void {
  const can = (kind: Behaviour['kind']): typeof it => (lacks.includes(kind) ? (it.skip as typeof it) : it)

  async function run(
    behaviour: Behaviour,
    overrides: Partial<AgentRequest> = {},
    signal: AbortSignal = new AbortController().signal,
    log: ProgressLog = new ProgressLog(),
  ): Promise<{ result: AgentRunResult; log: ProgressLog }> {
    const request = makeRequest(overrides)
    const result = await make(behaviour).runner.run(request, NO_HOST, signal, log.add)
    const seen = log.all.length
    expect(processesOf(request.runId)).toEqual([])
    expect(log.all.length, 'no progress follows the end').toBe(seen)
    return { result, log }
  }

  describe(`back end ${name}`, () => {
    it('is available and says what it can do', async () => {
      const backend = make({ kind: 'answer', answers: ['x'] })
      expect(await backend.unavailable?.()).toBeUndefined()
      expect(backend.refuse?.({})).toBeUndefined()
      expect(backend.capabilities).toMatchObject({ schema: expect.stringMatching(/^(native|tool|prompt)$/) })
    })

    it('gives a text as it is', async () => {
      const text = ' first line\r\n\tsecond \u2028 "third" \\n </output> '
      expect(assertOk((await run({ kind: 'answer', answers: [text] })).result).output).toBe(text)
    })

    it('gives an empty text', async () => {
      expect(assertOk((await run({ kind: 'answer', answers: [''] })).result).output).toBe('')
    })

    it('keeps every character of every script', async () => {
      const text = '中文 العربية हिन्दी 👩‍👩‍👧‍👦 e\u0301 \u202e \u0000 ﷽'
      const answer = { verdict: 'yes', notes: [text] }
      expect(assertOk((await run({ kind: 'answer', answers: [text] })).result).output).toBe(text)
      const structured = makeStructured(SCHEMA)
      expect(assertOk((await run({ kind: 'answer', answers: [answer] }, { structured })).result).output).toEqual(answer)
    })

    it('gives a huge text whole', async () => {
      const text = 'ü'.repeat(2_000_000)
      expect(assertOk((await run({ kind: 'answer', answers: [text] })).result).output === text).toBe(true)
    })

    it('gives the value that the schema asks for, and does not change the schema', async () => {
      const structured = makeStructured(SCHEMA)
      const before = JSON.stringify(structured.schema)
      const { result } = await run({ kind: 'answer', answers: [{ verdict: 'no' }] }, { structured })
      expect(result).toMatchObject({ kind: 'ok', output: { verdict: 'no' } })
      expect('rejections' in result).toBe(false)
      expect(JSON.stringify(structured.schema)).toBe(before)
    })

    it.each([
      ['a list', { type: 'array', items: { type: 'integer' } }, [1, 2]],
      ['a text', { type: 'string', maxLength: 3 }, 'abc'],
      ['null', { type: 'null' }, null],
      ['one of several objects', { oneOf: [SCHEMA, { type: 'object', required: ['b'] }] }, { b: 1 }],
      ['anything', true, { deep: [{ er: null }] }],
    ])('gives %s where the root of the schema is no object', async (_name, schema, answer) => {
      const structured = makeStructured(schema)
      const { result } = await run({ kind: 'answer', answers: [answer] }, { structured })
      expect(assertOk(result).output).toEqual(answer)
    })

    it('sends a wrong answer back with the errors, shows it, and counts it', async () => {
      const answers = [{ verdict: 'perhaps' }, { verdict: 'yes', extra: 1 }, { verdict: 'yes' }]
      const { result, log } = await run({ kind: 'answer', answers }, { structured: makeStructured(SCHEMA) })
      expect(result).toMatchObject({ kind: 'ok', output: { verdict: 'yes' }, rejections: 2 })
      expect(log.all.filter((progress) => progress.kind === 'rejected')).toEqual([
        { kind: 'rejected', errors: [expect.stringContaining('/verdict')], answer: '{"verdict":"perhaps"}' },
        { kind: 'rejected', errors: [expect.stringContaining('additional')], answer: '{"verdict":"yes","extra":1}' },
      ])
    })

    it('gives up after as many wrong answers as it may send back, with the last one and its errors', async () => {
      const answers = [{ verdict: 1 }, { verdict: 2 }, { verdict: 3 }, { verdict: 'yes' }]
      const dead = assertDead(
        (await run({ kind: 'answer', answers }, { structured: makeStructured(SCHEMA, 2) })).result,
      )
      expect(dead).toMatchObject({ failure: 'schema', rejections: 3, partial: '{"verdict":3}' })
      expect(dead.error).toContain('/verdict')
    })

    it('shows progress in order and reports the usage', async () => {
      const progress: Shown[] = [
        { kind: 'text', text: 'reading' },
        { kind: 'tool', tool: 'grep', title: 'TODO', input: { pattern: 'TODO' }, status: 'running' },
        { kind: 'tool', tool: 'grep', title: 'TODO', output: '3 hits', status: 'completed' },
        { kind: 'text', text: 'writing' },
      ]
      const usage = { outputTokens: 56, inputTokens: 1234, cacheReadTokens: 1000, reasoningTokens: 7, costUsd: 0.01 }
      const { result, log } = await run({ kind: 'answer', answers: ['x'], progress, usage })
      const shown = log.all.filter((one) => one.kind === 'text' || one.kind === 'tool')
      expect(shows ? shown.slice(0, progress.length) : shown).toEqual(shows ? progress.map(shows) : progress)
      expect(assertOk(result).usage).toEqual(tells ? tells(usage) : usage)
    })

    it('waits for a slow start', async () => {
      const begun = performance.now()
      const { result } = await run({ kind: 'answer', answers: ['late'], afterMs: 700 })
      expect(assertOk(result).output).toBe('late')
      expect(performance.now() - begun).toBeGreaterThan(690)
    })

    can('error').each(['transient', 'quota', 'auth', 'refused', 'other'] as const)(
      'reports a failure of the kind %s as such, with its message',
      async (failure) => {
        const { result } = await run({ kind: 'error', failure, message: `it is ${failure} 🧵` })
        expect(result).toMatchObject({ kind: 'dead', failure, error: `it is ${failure} 🧵` })
      },
    )

    can('crash')('reports a crash half way, with what was written', async () => {
      const { result } = await run({ kind: 'crash', text: 'so far' })
      expect(result).toMatchObject({ kind: 'dead', failure: 'crashed', partial: 'so far' })
    })

    can('silence')('reports an end without an answer', async () => {
      const dead = assertDead((await run({ kind: 'silence' })).result)
      expect(dead.failure).toBe('crashed')
      expect(dead.error).toContain('without a result')
    })

    can('garbage')('keeps what is no message as log text', async () => {
      const lines = ['Debugger listening', '{"type":', '{"type":"result"}', '[]']
      const { result, log } = await run({ kind: 'garbage', lines, answer: 'fine' })
      expect(assertOk(result).output).toBe('fine')
      const raw = log.all.filter((shown) => shown.kind === 'raw')
      expect(raw).toEqual(lines.map((text) => ({ kind: 'raw', text })))
    })

    can('hang')('ends soon when it is cancelled, and leaves nothing behind', async () => {
      const controller = new AbortController()
      const log = new ProgressLog()
      const running = run({ kind: 'hang', text: 'working' }, {}, controller.signal, log)
      await log.until((progress) => progress.kind === 'text')
      controller.abort()
      const begun = performance.now()
      expect(assertDead((await running).result).error).toContain('cancelled')
      expect(performance.now() - begun).toBeLessThan(6_000)
    })

    it('starts nothing when it was cancelled before', async () => {
      const { result, log } = await run({ kind: 'answer', answers: ['x'] }, {}, AbortSignal.abort())
      expect(assertDead(result).error).toContain('cancelled')
      expect(log.all).toEqual([])
    })

    it('runs many calls at once without mixing them up', async () => {
      const texts = Array.from({ length: 12 }, (_, n) => `answer ${n}`)
      const results = await Promise.all(texts.map((text) => run({ kind: 'answer', answers: [text] })))
      expect(results.map(({ result }) => assertOk(result).output)).toEqual(texts)
    })
  })
}

/** Living processes of any generation that were started for a run. */
function processesOf(runId: string): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      // A zombie has no environment left.
      return readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(`WEFT_RUN_ID=${runId}`)
    } catch {
      return false
    }
  })
}
