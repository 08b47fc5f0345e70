import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AgentRequest, AgentRunResult } from '../../../src/engine/index.ts'
import type { JsonValue } from '../../../src/shared/index.ts'
import { startModelProvider, type ModelProvider } from '../../support/agents/model-provider/server.ts'
import type { Turn } from '../../support/agents/model-provider/turn.ts'
import { assertDead, assertOk, makeRequest, makeStructured, NO_HOST, ProgressLog } from '../requests.ts'
import { errorBody, KEY, KEY_VARIABLE, kindNamed, KINDS, makeBackend, type Kind } from './kinds.ts'

let provider: ModelProvider
beforeAll(async () => {
  provider = await startModelProvider()
})
afterAll(() => provider.close())

async function call(
  kind: Kind,
  turns: Turn[],
  request: Partial<AgentRequest> = {},
): Promise<{ result: AgentRunResult; log: ProgressLog; requests: number }> {
  const script = provider.say(turns)
  const log = new ProgressLog()
  const backend = makeBackend(kind, script.url)
  const result = await backend.runner.run(makeRequest(request), NO_HOST, new AbortController().signal, log.add)
  return { result, log, requests: script.requests.length }
}

const anthropic = kindNamed('anthropic')
const openai = kindNamed('openai')
const google = kindNamed('google')
const deepseek = kindNamed('deepseek')
const refusal = (status: number, body: JsonValue, headers?: Record<string, string>): Turn => ({
  error: { status, body, ...(headers && { headers }) },
})
const told = (kind: Kind, status: number, type: string, message: string, headers?: Record<string, string>): Turn =>
  refusal(status, errorBody(kind, status, type, message), headers)

const googleLimit = (quotaId: string): JsonValue => ({
  error: {
    code: 429,
    status: 'RESOURCE_EXHAUSTED',
    message: 'You exceeded your current quota, please check your plan and billing details.',
    details: [
      { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId }] },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' },
    ],
  },
})

describe('an error of a provider', () => {
  it.each<[string, Kind, Turn, object]>([
    [
      'too many requests',
      anthropic,
      told(anthropic, 429, 'rate_limit_error', 'slow down'),
      { failure: 'transient', rateLimited: true },
    ],
    [
      'an overloaded provider',
      anthropic,
      told(anthropic, 529, 'overloaded_error', 'Overloaded'),
      { failure: 'transient', rateLimited: true },
    ],
    [
      'an empty account',
      anthropic,
      told(anthropic, 400, 'invalid_request_error', 'Your credit balance is too low to access the API.'),
      { failure: 'credit' },
    ],
    ['a wrong key', anthropic, told(anthropic, 401, 'authentication_error', 'invalid x-api-key'), { failure: 'auth' }],
    [
      'a key without rights',
      anthropic,
      told(anthropic, 403, 'permission_error', 'no access to this resource'),
      { failure: 'auth' },
    ],
    [
      'a prompt that is too long',
      anthropic,
      told(anthropic, 400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
      { failure: 'other', error: expect.stringContaining('too long for the model') },
    ],
    [
      'an unknown model',
      anthropic,
      told(anthropic, 404, 'not_found_error', 'model: claude-99'),
      { failure: 'other', notStarted: true, error: 'model: claude-99' },
    ],
    [
      'a quota that is used up',
      openai,
      told(openai, 429, 'insufficient_quota', 'You exceeded your current quota.'),
      { failure: 'quota' },
    ],
    [
      'a limit of requests',
      openai,
      told(openai, 429, 'rate_limit_exceeded', 'Rate limit reached for gpt-5.4: please try again in 20s.'),
      { failure: 'transient', rateLimited: true, retryAt: expect.any(Number) },
    ],
    [
      'a context that is too long',
      openai,
      told(openai, 400, 'context_length_exceeded', 'Your input exceeds the limit.'),
      { failure: 'other', error: expect.stringContaining('too long for the model') },
    ],
    ['a policy', openai, told(openai, 400, 'content_policy_violation', 'not allowed'), { failure: 'refused' }],
    [
      'a bad request that speaks of time-outs',
      openai,
      told(openai, 400, 'invalid_request_error', 'timeout must be positive'),
      { failure: 'other' },
    ],
    ['a server error', openai, told(openai, 500, 'server_error', 'oops'), { failure: 'transient' }],
    ['an empty balance', deepseek, told(deepseek, 402, 'unknown_error', 'Insufficient Balance'), { failure: 'credit' }],
    [
      'a limit of a minute',
      google,
      refusal(429, googleLimit('GenerateRequestsPerMinutePerProjectPerModel')),
      { failure: 'transient', rateLimited: true, retryAt: expect.any(Number) },
    ],
    [
      'a limit of a day',
      google,
      refusal(429, googleLimit('GenerateRequestsPerDayPerProjectPerModel')),
      { failure: 'quota' },
    ],
    ['a page of a proxy', anthropic, refusal(502, '<html>Bad Gateway</html>'), { failure: 'transient' }],
  ])('for %s is of the right kind, and the request is not repeated', async (_what, kind, turn, expected) => {
    const { result, requests } = await call(kind, [turn])
    expect(result).toMatchObject({ kind: 'dead', ...expected })
    expect(requests).toBe(1)
  })

  it('tells when to come back', async () => {
    const before = Date.now()
    const { result } = await call(anthropic, [
      told(anthropic, 429, 'rate_limit_error', 'slow down', { 'retry-after': '30' }),
    ])
    const { retryAt = 0 } = assertDead(result)
    expect(retryAt - before).toBeGreaterThanOrEqual(30_000)
    expect(retryAt - Date.now()).toBeLessThanOrEqual(30_000)
  })

  it('in the middle of a stream counts as well, with what had come', async () => {
    const streamError = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    const { result } = await call(anthropic, [{ text: ['so far'], streamError }])
    expect(result).toMatchObject({ failure: 'transient', rateLimited: true, error: 'Overloaded', partial: 'so far' })
  })

  it('never holds the key', async () => {
    const turn = told(openai, 401, 'invalid_api_key', `Incorrect API key provided: ${KEY}.`)
    const { result } = await call(openai, [turn])
    expect(assertDead(result).failure).toBe('auth')
    expect(JSON.stringify(result)).not.toContain(KEY)
  })
})

describe.each(KINDS)('with $name', (kind) => {
  it('an answer that breaks off is a network failure, with what had come', async () => {
    for (const ends of ['half', 'cut'] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one kind of end after the other
      const { result } = await call(kind, [{ text: ['so ', 'far'], ends }])
      expect(result, ends).toMatchObject({ kind: 'dead', failure: 'transient', partial: 'so far' })
    }
  })

  it('a refusal is a refusal', async () => {
    const { result } = await call(kind, [{ finish: 'refusal' }])
    expect(result).toMatchObject({ failure: 'refused', error: 'The model refused to answer (content filter).' })
  })

  it('an answer that was cut at the limit is no answer', async () => {
    const { result } = await call(kind, [{ text: ['half a'], finish: 'length' }])
    expect(result).toMatchObject({
      failure: 'other',
      partial: 'half a',
      error: expect.stringContaining('maxOutputTokens'),
    })
  })

  it('nobody at the address is a network failure that says so', async () => {
    const nobody = await startModelProvider()
    const { url } = nobody.say([])
    await nobody.close()
    const backend = makeBackend(kind, url)
    const result = await backend.runner.run(makeRequest(), NO_HOST, new AbortController().signal, () => {})
    expect(result).toMatchObject({ failure: 'transient', error: expect.stringContaining('ECONNREFUSED') })
  })
})

describe('an answer', () => {
  it('of 20 MB is given whole', async () => {
    const piece = 'x'.repeat(1024 * 1024)
    const { result, log } = await call(openai, [{ text: Array.from({ length: 20 }, () => piece) }])
    expect(assertOk(result).output).toHaveLength(20 * piece.length)
    expect(Math.max(...log.all.map((one) => (one.kind === 'text' ? one.text.length : 0)))).toBeLessThan(100_000)
  })

  it('with halves of characters is well-formed wherever it goes, and what is sent back is', async () => {
    const script = provider.say([
      { text: ['half \ud83d'], calls: [{ name: 'list', input: { path: 'no\ud83dsuch' } }] },
      { text: ['so \ud83d', '\ude00 and \udc00'] },
    ])
    const log = new ProgressLog()
    const run = makeBackend(anthropic, script.url).runner.run
    const result = assertOk(await run(makeRequest(), NO_HOST, new AbortController().signal, log.add))
    expect(result.output).toBe('so 😀 and \ufffd')
    expect(JSON.stringify(script.requests[1]?.body)).not.toMatch(/\\ud[89a-f]/i)
    expect(JSON.stringify(log.all)).not.toMatch(/\\ud[89a-f]/i)
  })

  it('that is no answer of the schema, and is written instead of handed over, is asked for', async () => {
    const structured = makeStructured({ type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] })
    const script = provider.say([
      { text: ['I am done.'] },
      { calls: [{ name: 'structured_output', input: {}, raw: '{"n": ' }] },
      { calls: [{ name: 'structured_output', input: { n: 1 } }] },
    ])
    const result = await makeBackend(openai, script.url).runner.run(
      makeRequest({ structured }),
      NO_HOST,
      new AbortController().signal,
      () => {},
    )
    expect(result).toMatchObject({ kind: 'ok', output: { n: 1 }, rejections: 2 })
    expect(JSON.stringify(script.requests[1]?.body)).toContain('ended without an accepted answer')
    expect(script.requests).toHaveLength(3)
  })

  it('that never comes right is given up after as many tries as are allowed', async () => {
    const structured = makeStructured({ type: 'object', required: ['n'] }, 2)
    const { result, requests } = await call(openai, [{ text: ['no'] }], { structured })
    expect(result).toMatchObject({ failure: 'schema', rejections: 3, partial: 'no' })
    expect(requests).toBe(3)
  })

  it('whose usage nobody tells is warned of once', async () => {
    const warned: string[] = []
    const script = provider.say(
      [{ calls: [{ name: 'list', input: {} }] }, { text: ['x'] }].map((turn) => ({ ...turn, usage: null })),
    )
    const kind = kindNamed('openai-compatible')
    const warn = (code: string): void => void warned.push(code)
    const run = makeBackend(kind, script.url).runner.run
    assertOk(await run(makeRequest({ warn }), NO_HOST, new AbortController().signal, () => {}))
    expect(warned).toEqual(['model-api/usage'])
  })
})

describe('before anything is asked', () => {
  it('a folder that is not there is told', async () => {
    const { result, requests } = await call(openai, [{ text: ['x'] }], { cwd: '/no/such/folder' })
    expect(result).toMatchObject({ notStarted: true, error: expect.stringContaining('does not exist') })
    expect(requests).toBe(0)
  })
})

describe('the key', () => {
  it('is not carried to where a provider sends the request on to', async () => {
    const elsewhere = provider.say([{ text: ['x'] }])
    const { result } = await call(openai, [
      { error: { status: 307, headers: { location: `${elsewhere.url}/responses` }, body: '' } },
    ])
    expect(result).toMatchObject({ failure: 'other', error: expect.stringContaining('another address') })
    expect(elsewhere.requests).toEqual([])
  })

  it('goes to the provider and into nothing that is shown, not even by way of a tool', async () => {
    const script = provider.say([
      { calls: [{ name: 'run', input: { command: `echo "$${KEY_VARIABLE}|$OPENAI_API_KEY|${KEY}|sk-other-123"` } }] },
      { text: [`it is ${KEY}`] },
    ])
    const log = new ProgressLog()
    const backend = makeBackend(openai, script.url, { access: 'full', env: { OPENAI_API_KEY: 'sk-other-123' } })
    const result = await backend.runner.run(makeRequest(), NO_HOST, new AbortController().signal, log.add)
    expect(script.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
    expect(assertOk(result).output).toBe('it is [key removed]')
    expect(JSON.stringify(log.all)).not.toContain(KEY)
    expect(log.all).toContainEqual(expect.objectContaining({ output: '||[key removed]|[key removed]\n[exit code 0]' }))
  })
})
