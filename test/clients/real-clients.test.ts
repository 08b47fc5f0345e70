import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAcpBackend } from '../../src/agents/acp/acp-backend.ts'
import { createPresetBackend } from '../../src/agents/command/presets/preset-backend.ts'
import type { AgentBackend, AgentRequest } from '../../src/engine/index.ts'
import { assertDead, assertOk, makeRequest, makeStructured, NO_HOST, ProgressLog } from '../agents/requests.ts'
import { makeClientWorld, processesOf, type ClientWorld } from '../support/clients/clients.ts'

let world: ClientWorld
beforeAll(async () => {
  world = await makeClientWorld()
})
afterAll(() => world.dispose())

const SCHEMA = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false }

/** `answerIn` is the prompt by which the fake model gives a structured answer through this back end. */
const BACKENDS: Record<string, { make(): AgentBackend; tool: string; model: string; answerIn: string }> = {
  'opencode by command': {
    make: () => createPresetBackend({ id: 'o', preset: 'opencode', inheritedEnv: world.env }),
    tool: 'CALL read {"filePath":"a.txt"}',
    model: 'fake/fake-model-2',
    answerIn: 'JSON {"a":"x"}',
  },
  'codex by command': {
    make: () => createPresetBackend({ id: 'c', preset: 'codex', inheritedEnv: world.env, access: 'full' }),
    tool: 'CALL exec_command {"cmd":"cat a.txt"}',
    model: 'fake-model-2',
    answerIn: 'JSON {"a":"x"}',
  },
  'opencode by acp': {
    make: () => createAcpBackend({ id: 'oa', preset: 'opencode', inheritedEnv: world.env }),
    tool: 'CALL read {"filePath":"a.txt"}',
    model: 'fake/fake-model-2',
    answerIn: 'CALL structured_output {"a":"x"}',
  },
}

describe.each(Object.entries(BACKENDS))('%s', (_name, { make, tool, model, answerIn }) => {
  async function run(request: Partial<AgentRequest>, signal = new AbortController().signal, log = new ProgressLog()) {
    const whole = makeRequest({ cwd: world.cwd, ...request })
    const result = await make().runner.run(whole, NO_HOST, signal, log.add)
    expect(processesOf(whole.runId)).toEqual([])
    return { result, log }
  }

  it('answers with a text, and tells the tokens', async () => {
    const { result } = await run({ prompt: 'SAY hi there' })
    expect(assertOk(result)).toMatchObject({ output: 'hi there', usage: { inputTokens: expect.any(Number) } })
    expect(assertOk(result).usage.outputTokens).toBeGreaterThan(0)
  })

  it('uses a tool, which is shown', async () => {
    const { result, log } = await run({ prompt: tool })
    expect(assertOk(result).output).toContain('hello')
    expect(log.all.some((shown) => shown.kind === 'tool' && shown.status === 'completed')).toBe(true)
  })

  it('takes a model', async () => {
    expect(assertOk((await run({ prompt: 'SAY other', model })).result).output).toBe('other')
  })

  it('gives the value of a schema', async () => {
    const { result } = await run({ prompt: answerIn, structured: makeStructured(SCHEMA) })
    expect(assertOk(result).output).toEqual({ a: 'x' })
  })

  it('tells an expired sign-in from other failures', async () => {
    expect(assertDead((await run({ prompt: 'FAIL 401' })).result).failure).toBe('auth')
  })

  it('is gone soon after a cancel', async () => {
    const controller = new AbortController()
    const log = new ProgressLog()
    const running = run({ prompt: 'SLOW 300' }, controller.signal, log)
    const aborted = setTimeout(() => controller.abort(), 3_000)
    expect(assertDead((await running).result).error).toContain('cancelled')
    clearTimeout(aborted)
  })
})
