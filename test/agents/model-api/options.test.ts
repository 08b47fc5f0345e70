import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withAgentTypes } from '../../../src/agents/agent-types/with-agent-types.ts'
import { createModelApiBackend, type ModelApiBackendOptions } from '../../../src/agents/model-api/model-api-backend.ts'
import type { AgentRequest } from '../../../src/engine/index.ts'
import type { JsonObject } from '../../../src/shared/index.ts'
import {
  startModelProvider,
  type ModelProvider,
  type ModelRequest,
} from '../../support/agents/model-provider/server.ts'
import { assertOk, makeRequest, makeStructured, NO_HOST, ProgressLog } from '../requests.ts'
import { errorTurn, KEY, KEY_VARIABLE, kindNamed, KINDS, makeBackend, type Kind } from './kinds.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'weft-model-options-')))
let provider: ModelProvider
beforeAll(async () => {
  provider = await startModelProvider()
})
afterAll(async () => {
  await provider.close()
  rmSync(root, { recursive: true, force: true })
})

async function send(
  kind: Kind,
  request: Partial<AgentRequest>,
  options: Partial<ModelApiBackendOptions> = {},
): Promise<ModelRequest> {
  const script = provider.say(
    request.structured ? [{ calls: [{ name: 'structured_output', input: { n: 1 } }] }] : [{ text: ['x'] }],
  )
  const backend = makeBackend(kind, script.url, options)
  assertOk(await backend.runner.run(makeRequest(request), NO_HOST, new AbortController().signal, () => {}))
  const [first] = script.requests
  if (first === undefined) throw new Error('nothing was asked')
  return first
}

const sent = (request: ModelRequest): string => JSON.stringify(request.body)
const modelOf = ({ path, body }: ModelRequest): unknown => body['model'] ?? /models\/([^:]+)/.exec(path)?.[1]

/** Where each provider has the effort in what is sent. */
const EFFORTS: Record<string, (body: JsonObject) => unknown> = {
  anthropic: ({ output_config }) => output_config,
  openai: ({ reasoning }) => reasoning,
  'openai, chat': ({ reasoning_effort }) => reasoning_effort,
  google: ({ generationConfig }) => generationConfig,
  deepseek: ({ reasoning_effort }) => reasoning_effort,
  'openai-compatible': ({ reasoning_effort }) => reasoning_effort,
}

describe.each(KINDS)('with $name', (kind) => {
  it('the prompt is sent byte for byte, behind the framing', async () => {
    const prompt = '</output> `x` "q" \\ $(rm) 🧵\r\nDIRECTIVE'
    const text = sent(await send(kind, { prompt }))
    expect(text).toContain(JSON.stringify(prompt))
    expect(text).toContain('You are one agent of an automated workflow')
  })

  it("the model is the call's, else that of the settings", async () => {
    expect(modelOf(await send(kind, { model: 'm-1' }))).toBe('m-1')
    expect(modelOf(await send(kind, {}))).toBe(kind.options.model)
  })

  it('the effort is sent, each one differently, or is refused', async () => {
    const read = EFFORTS[kind.name]
    const told: string[] = []
    for (const effort of ['low', 'medium', 'high', 'xhigh', 'max'] as const) {
      const script = provider.say([{ text: ['x'] }])
      const backend = makeBackend(kind, script.url)
      // oxlint-disable-next-line no-await-in-loop -- one request after the other
      const result = await backend.runner.run(makeRequest({ effort }), NO_HOST, new AbortController().signal, () => {})
      if (result.kind === 'ok') {
        expect(backend.refuse?.({ effort })).toBeUndefined()
        told.push(JSON.stringify(read?.(script.requests[0]?.body ?? {})))
      } else if (backend.refuse?.({ effort }) !== undefined)
        expect(backend.refuse({ effort })).toMatch(/^back end "api" has no effort "\w+": \w+ knows /)
      else expect(result).toMatchObject({ notStarted: true, error: expect.stringContaining(`the effort "${effort}"`) })
    }
    expect(new Set(told).size, told.join(' ')).toBe(told.length)
    expect(told).not.toContain(JSON.stringify(read?.((await send(kind, {})).body)))
    expect(told.length).toBeGreaterThan(1)
  })

  it('tools are those that are allowed, and nothing else is declared', async () => {
    const all = sent(await send(kind, {}))
    for (const name of ['read', 'list', 'search', 'write', 'run']) expect(all).toContain(`"name":"${name}"`)
    const some = sent(await send(kind, { allowedTools: ['Grep', 'read'] }))
    expect([...some.matchAll(/"name":"(\w+)"/g)].map((match) => match[1])).toEqual(['read', 'search'])
    expect(sent(await send(kind, { allowedTools: [] }))).not.toMatch(/"name":"(read|list|search|write|run)"/)
  })

  it('a schema is that of the tool for the answer', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer', minimum: 1 } }, required: ['n'] }
    const text = sent(await send(kind, { structured: makeStructured(schema) }))
    expect(text).toContain('"name":"structured_output"')
    expect(text).toContain('"minimum":1')
  })

  it('what the model thought is shown, and goes back to it with its signature where there is one', async () => {
    const script = provider.say([
      { reasoning: 'Hm, let me see.', calls: [{ name: 'list', input: {} }] },
      { text: ['x'] },
    ])
    const log = new ProgressLog()
    const warned: string[] = []
    const request = makeRequest({ cwd: root, warn: (_code, message) => void warned.push(message) })
    const run = makeBackend(kind, script.url).runner.run
    const result = assertOk(await run(request, NO_HOST, new AbortController().signal, log.add))
    expect(result.output).toBe('x')
    const thought = kind.name === 'openai, chat' ? [] : [{ kind: 'raw', text: '[thinking] Hm, let me see.' }]
    expect(log.all.filter((one) => one.kind === 'raw')).toEqual(thought)
    const signed = ['anthropic', 'openai', 'google'].includes(kind.name)
    expect(JSON.stringify(script.requests[1]?.body).includes('c2lnbmVk')).toBe(signed)
    expect(warned).toEqual([])
  })

  it('the limit of output tokens is that of the settings', async () => {
    expect(sent(await send(kind, {}, { maxOutputTokens: 777 }))).toMatch(/"max\w*":777/i)
  })
})

describe('before the start', () => {
  const backend = makeBackend(kindNamed('openai'), 'http://127.0.0.1:1/v1')

  it.each([
    [{ allowedTools: ['serach'] }, 'back end "api" has no tool "serach" (allowedTools): did you mean "search"?'],
    [
      { allowedTools: ['WebFetch'] },
      'back end "api" has no tool "WebFetch" (allowedTools): its tools are read, list, search, write, run',
    ],
    [
      { allowedTools: ['read(src/**)'] },
      `back end "api" can't keep the tool read to a pattern (allowedTools: "read(src/**)")`,
    ],
    [{ isolation: 'worktree' as const }, 'back end "api" cannot work in a worktree of its own (isolation: "worktree")'],
  ])('%j is refused in words', (asked, words) => {
    expect(backend.refuse?.(asked)).toBe(words)
  })

  it('a missing key, address or model is told', async () => {
    const options = { id: 'api', inheritedEnv: {} }
    const ask = (more: Omit<ModelApiBackendOptions, 'id' | 'inheritedEnv'>): Promise<string | undefined> | undefined =>
      createModelApiBackend({ ...options, ...more }).unavailable?.()
    expect(await ask({ provider: 'anthropic' })).toContain('ANTHROPIC_API_KEY is not set')
    expect(await ask({ provider: 'google' })).toContain('GEMINI_API_KEY or GOOGLE_API_KEY is not set')
    expect(await ask({ provider: 'openai', apiKeyEnv: 'MINE' })).toContain('MINE is not set')
    expect(await ask({ provider: 'openai-compatible' })).toContain('needs a baseUrl')
    expect(await ask({ provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1' })).toBeUndefined()
    const noModel = createModelApiBackend({ ...options, provider: 'openai', inheritedEnv: { OPENAI_API_KEY: KEY } })
    const result = await noModel.runner.run(makeRequest(), NO_HOST, new AbortController().signal, () => {})
    expect(result).toMatchObject({ notStarted: true, error: expect.stringContaining('needs a model') })
  })
})

describe('a named agent', () => {
  it('gives its instructions, its model, and its tools as the most that is allowed', async () => {
    mkdirSync(join(root, 'agents'))
    const matter = '---\nname: looker\ndescription: d\ntools: Read, Grep\nmodel: m-9\n---\nLook closely.'
    writeFileSync(join(root, 'agents', 'looker.md'), matter)
    const script = provider.say([{ text: ['x'] }])
    const plain = makeBackend(kindNamed('openai'), script.url)
    const backend = withAgentTypes(plain, { folders: () => [join(root, 'agents')], claudeModels: false })
    assertOk(
      await backend.runner.run(makeRequest({ agentType: 'looker' }), NO_HOST, new AbortController().signal, () => {}),
    )
    const body = script.requests[0]?.body ?? {}
    expect(body['model']).toBe('m-9')
    expect(JSON.stringify(body)).toContain('Look closely.')
    expect([...JSON.stringify(body).matchAll(/"name":"(\w+)"/g)].map((match) => match[1])).toEqual(['read', 'search'])
  })
})

describe('a conversation with anthropic', () => {
  it('is kept in its cache from the second request on', async () => {
    const script = provider.say([{ calls: [{ name: 'list', input: {} }] }, { text: ['x'] }])
    const run = makeBackend(kindNamed('anthropic'), script.url).runner.run
    assertOk(await run(makeRequest({ cwd: root }), NO_HOST, new AbortController().signal, () => {}))
    const kept = script.requests.map(({ body }) => body['cache_control'])
    expect(kept).toEqual([undefined, { type: 'ephemeral' }])
  })
})

describe('usage', () => {
  it.each(KINDS)('is told by class, and priced request by request: $name', async (kind) => {
    const anthropic = kind.name === 'anthropic'
    const usage = {
      outputTokens: 50,
      inputTokens: 900,
      cacheReadTokens: 300,
      reasoningTokens: 20,
      ...(anthropic && { cacheWriteTokens: 200 }),
    }
    const script = provider.say([
      { calls: [{ name: 'list', input: {} }], usage },
      { text: ['x'], usage },
    ])
    const asked: unknown[] = []
    const priceOf = (model: string, one: unknown): number => {
      asked.push([model, one])
      return 0.25
    }
    const backend = makeBackend(kind, script.url, { priceOf, apiKeyEnv: KEY_VARIABLE })
    const request = makeRequest({ cwd: root })
    const result = assertOk(await backend.runner.run(request, NO_HOST, new AbortController().signal, () => {}))
    expect(asked).toEqual([
      [kind.options.model, usage],
      [kind.options.model, usage],
    ])
    const doubled = Object.fromEntries(Object.entries(usage).map(([name, count]) => [name, 2 * count]))
    expect(result.usage).toEqual({ ...doubled, costUsd: 0.5 })
  })

  it('has no cost once a request breaks off or is cancelled, which is paid for as well', async () => {
    const listing = { calls: [{ name: 'list', input: {} }] }
    for (const ends of ['half', 'hang'] as const) {
      const script = provider.say([listing, { text: ['so far'], ends }])
      const backend = makeBackend(kindNamed('anthropic'), script.url, { priceOf: () => 1 })
      const controller = new AbortController()
      const log = new ProgressLog()
      const running = backend.runner.run(makeRequest({ cwd: root }), NO_HOST, controller.signal, log.add)
      // oxlint-disable-next-line no-await-in-loop -- one way to end after the other
      await log.until((one) => one.kind === 'text')
      if (ends === 'hang') controller.abort()
      // oxlint-disable-next-line no-await-in-loop
      expect(await running).toMatchObject({ kind: 'dead', usage: { outputTokens: 1, inputTokens: 1 } })
      // oxlint-disable-next-line no-await-in-loop
      expect((await running) as object).not.toHaveProperty('usage.costUsd')
    }
  })

  it('keeps its cost when a later request is refused outright', async () => {
    const refused = errorTurn(kindNamed('anthropic'), 'auth', 'no')
    const script = provider.say([{ text: ['I look'], calls: [{ name: 'list', input: {} }] }, refused])
    const backend = makeBackend(kindNamed('anthropic'), script.url, { priceOf: () => 1 })
    const request = makeRequest({ cwd: root })
    const result = await backend.runner.run(request, NO_HOST, new AbortController().signal, () => {})
    expect(result).toMatchObject({ kind: 'dead', failure: 'auth', usage: { costUsd: 1 } })
  })

  it('has no cost once one of its requests has none', async () => {
    const script = provider.say([{ calls: [{ name: 'list', input: {} }] }, { text: ['x'] }])
    let asked = 0
    const priceOf = (): number | undefined => (++asked === 1 ? undefined : 1)
    const backend = makeBackend(kindNamed('openai'), script.url, { priceOf })
    const request = makeRequest({ cwd: root })
    const result = assertOk(await backend.runner.run(request, NO_HOST, new AbortController().signal, () => {}))
    expect(result.usage).toEqual({ outputTokens: 2, inputTokens: 2 })
  })
})
