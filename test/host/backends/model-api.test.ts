// A model provider by way of the whole host: settings, run, record, cost, pauses.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { toRunEnvelope, type RunEnvelope } from '../../../src/shared/index.ts'
import { startModelProvider, type ModelProvider } from '../../support/agents/model-provider/server.ts'
import type { Turn } from '../../support/agents/model-provider/turn.ts'
import { makeFolders, makeHost, writeFileIn } from '../../support/host/make-host.ts'
import { script } from '../../support/host/scripts.ts'
import { watchRun, type WatchedRun } from '../../support/host/watch-run.ts'

vi.setConfig({ testTimeout: 60_000 })

const KEY = 'sk-host-secret-0123456789'
let provider: ModelProvider
beforeAll(async () => {
  provider = await startModelProvider()
  vi.stubEnv('WEFT_TEST_MODEL_KEY', KEY)
})
afterAll(() => {
  vi.unstubAllEnvs()
  return provider.close()
})

const USAGE = { inputTokens: 1_000_000, outputTokens: 100_000 }

async function run(body: string, turns: Turn[], settings: object = {}) {
  const folders = await makeFolders()
  const said = provider.say(turns)
  const common = { kind: 'model-api', baseUrl: said.url, apiKeyEnv: 'WEFT_TEST_MODEL_KEY' }
  const backends = {
    priced: {
      ...common,
      provider: 'anthropic',
      model: 'claude-mine',
      prices: { 'claude-mine': { input: 2, output: 10 } },
    },
    local: { ...common, provider: 'openai-compatible', model: 'qwen3' },
  }
  await writeFileIn(
    folders.dataDir,
    'settings.json',
    JSON.stringify({ backends, defaultBackend: 'priced', ...settings }),
  )
  const made = await makeHost({ folders })
  const source = { kind: 'text', text: script('asks', body) } as const
  const { runId } = await made.session.call('run.start', { workspace: folders.workspace, source })
  return { ...made, said, runId, watched: await watchRun(made.session, runId) }
}

const envelopeOf = async (watched: WatchedRun): Promise<RunEnvelope> => toRunEnvelope(await watched.ended)

describe('a run by model providers', () => {
  test('has answers, tools, a cost that says what it leaves out, and the key nowhere in its record', async () => {
    const { watched, folders, said, entries } = await run(
      `const file = await agent('write it', { label: 'first' })
       const other = await agent('and you', { provider: 'openai-compatible', effort: 'high' })
       return [file, other]`,
      [
        { calls: [{ name: 'write', input: { path: 'out.txt', content: 'made' } }], usage: USAGE },
        { text: [`done, ${KEY}`], usage: USAGE },
        { text: ['as well'] },
      ],
    )
    const state = await watched.ended
    expect(toRunEnvelope(state)).toMatchObject({
      outcome: 'completed',
      degraded: false,
      simulated: false,
      usage: { outputTokens: 200_001, costUsd: 6, unpricedAgents: 1 },
    })
    expect(readFileSync(join(folders.workspace, 'out.txt'), 'utf8')).toBe('made')
    expect(said.requests.map(({ path, body }) => [path.split('/').at(-1), body['model']])).toEqual([
      ['messages', 'claude-mine'],
      ['messages', 'claude-mine'],
      ['completions', 'qwen3'],
    ])
    expect(state.agents.map(({ resultPreview }) => resultPreview)).toEqual(['done, [key removed]', 'as well'])
    expect(JSON.stringify([watched.events, entries])).not.toContain(KEY)
    for (const name of readdirSync(folders.dataDir)) {
      if (name === 'socket') continue
      expect(readFileSync(join(folders.dataDir, name)).includes(KEY), name).toBe(false)
    }
  })

  test('is paused by a quota with its queue intact, and goes on', async () => {
    const body = { type: 'error', error: { type: 'billing_error', message: 'Your credit balance is too low' } }
    const { watched, session, runId, said } = await run(
      `return await parallel([1, 2, 3].map((n) => () => agent('say ' + n)))`,
      [{ error: { status: 400, body } }, { text: ['fine'] }],
      { maxConcurrentAgents: 1 },
    )
    const paused = await watched.until(({ status }) => status === 'paused')
    expect(paused.paused).toMatchObject({
      reason: 'back end priced has no credit left: Your credit balance is too low',
    })
    expect(said.requests).toHaveLength(1)
    await session.call('run.continue', { runId })
    expect(await envelopeOf(watched)).toMatchObject({ outcome: 'completed', degraded: false, calls: { completed: 3 } })
  })

  test('ends an agent that answers and then says nothing more, keeps its text, and is degraded', async () => {
    const { watched, said } = await run(`return await agent('x')`, [{ text: ['half an answer'], ends: 'hang' }], {
      stallSeconds: 0.3,
    })
    const state = await watched.ended
    expect(toRunEnvelope(state)).toMatchObject({ outcome: 'completed', degraded: true, result: null })
    expect(state.agents).toMatchObject([
      { status: 'failed', error: { failure: 'stalled' }, resultPreview: 'half an answer' },
    ])
    expect(said.requests).toHaveLength(2)
    await Promise.all(said.requests.map(({ closed }) => closed))
  })

  test('is refused in words for an unknown model, and for what the provider does not have', async () => {
    const body = { type: 'error', error: { type: 'not_found_error', message: 'model: claude-mine' } }
    const unknown = await run(`return await agent('x')`, [{ error: { status: 404, body } }])
    expect(await envelopeOf(unknown.watched)).toMatchObject({
      outcome: 'error',
      error: { code: 'AGENT_START', message: expect.stringContaining('model: claude-mine') },
    })
    const refused = await run(`return await agent('x', { allowedTools: ['WebFetch'] })`, [{ text: ['x'] }])
    expect(await envelopeOf(refused.watched)).toMatchObject({ outcome: 'error', error: { code: 'UNSUPPORTED_OPTION' } })
    expect(refused.said.requests).toEqual([])
  })
})
