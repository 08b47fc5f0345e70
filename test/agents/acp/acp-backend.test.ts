import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createAcpBackend, type AcpBackendOptions } from '../../../src/agents/acp/acp-backend.ts'
import type { AgentRequest } from '../../../src/engine/index.ts'
import { asRunId, isJsonObject, type JsonObject } from '../../../src/shared/index.ts'
import { processesWith } from '../../support/app/processes.ts'
import { agentFile, assertDead, assertOk, makeRequest, makeStructured, NO_HOST, ProgressLog } from '../requests.ts'

const root = mkdtempSync(join(tmpdir(), 'weft-acp-calls-'))
afterAll(() => {
  rmSync(root, { recursive: true, force: true })
})
let records = 0

function agent(steps: JsonObject[], options: Partial<AcpBackendOptions> = {}) {
  const file = join(root, `record-${records++}`)
  const backend = createAcpBackend({
    id: 'acp',
    command: ['node', agentFile('acp-agent.mjs')],
    inheritedEnv: { ...process.env, WEFT_TEST_STEPS: JSON.stringify(steps), WEFT_TEST_RECORD: file },
    ...options,
  })
  const log = new ProgressLog()
  const controller = new AbortController()
  const run = (request: Partial<AgentRequest> = {}) =>
    backend.runner.run(makeRequest(request), NO_HOST, controller.signal, log.add)
  const told = (what: string): unknown[] => {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
    return lines.flatMap((line) => {
      const value: unknown = JSON.parse(line)
      return isJsonObject(value) && what in value ? [value[what]] : []
    })
  }
  return { backend, run, log, controller, told }
}

const END: JsonObject = { stop: 'end_turn' }
const TOOL: JsonObject = {
  sessionUpdate: 'tool_call',
  toolCallId: 't1',
  title: 'x',
  kind: 'read',
  status: 'in_progress',
}

describe('the options of a call', () => {
  it.each([
    ['model', { model: 'm-1' }, { configId: 'model', value: 'm-1' }],
    ['effort', { effort: 'high' }, { configId: 'thought_level', value: 'high' }],
  ] as const)('%s is chosen before the prompt', async (_name, request, expected) => {
    const { run, told } = agent([{ text: 'x' }, END])
    assertOk(await run(request))
    expect(told('set')).toEqual([{ sessionId: 'S1', ...expected }])
  })

  it.each([
    ['model', { model: 'm-2' }, 'does not know the model "m-2": did you mean'],
    ['effort', { effort: 'max' }, 'does not know the effort "max"'],
  ] as const)('%s that the agent does not offer is refused before the prompt', async (_name, request, words) => {
    const { run, told } = agent([{ text: 'x' }, END])
    expect(assertDead(await run(request))).toMatchObject({ notStarted: true, error: expect.stringContaining(words) })
    expect(told('prompt')).toEqual([])
  })

  it('allowedTools is refused before the start, except where a preset can honour it', () => {
    expect(agent([]).backend.refuse?.({ allowedTools: ['read'] })).toContain('cannot restrict tools')
    expect(agent([], { preset: 'opencode' }).backend.refuse?.({ allowedTools: ['read'] })).toBeUndefined()
  })

  it("a mode of the settings is set; the folder is the session's", async () => {
    const { run, told } = agent([{ text: 'x' }, END], { mode: 'code' })
    assertOk(await run({ cwd: root }))
    expect(told('set')).toEqual([{ sessionId: 'S1', configId: 'mode', value: 'code' }])
    expect(told('new')).toEqual([{ cwd: root, mcpServers: [] }])
    expect(told('close')).toEqual([true])
  })

  it('a schema is the input schema of the tool, and a refused answer comes back to the agent', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    const { run, told } = agent([{ output: { n: 'x' } }, { output: { n: 3 } }, { text: 'Done.' }, END])
    expect(assertOk(await run({ structured: makeStructured(schema) }))).toMatchObject({
      output: { n: 3 },
      rejections: 1,
    })
    expect(told('tools')).toMatchObject([{ tools: [{ name: 'structured_output', inputSchema: schema }] }])
    expect(told('verdict')).toMatchObject([
      { isError: true, content: [{ text: expect.stringContaining('/n must be integer') }] },
      { content: [{ text: expect.stringContaining('accepted') }] },
    ])
  })

  it('a turn that ends without an answer is nudged', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    const { run, told } = agent([{ text: 'I am done.' }, END, { output: { n: 1 } }, END])
    expect(assertOk(await run({ structured: makeStructured(schema) }))).toMatchObject({
      output: { n: 1 },
      rejections: 1,
    })
    expect(told('prompt')).toHaveLength(2)
  })
})

describe('the answer', () => {
  it('is what was said after the last tool call', async () => {
    const tool = { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Read x', kind: 'read', status: 'completed' }
    const { run } = agent([{ text: 'I look.' }, { tool }, { text: 'It ' }, { text: 'is so.' }, END])
    expect(assertOk(await run()).output).toBe('It is so.')
  })

  it('shows plans and diffs', async () => {
    const diff = { type: 'diff', path: '/a', oldText: 'x', newText: 'y' }
    const tool = {
      sessionUpdate: 'tool_call',
      toolCallId: 't',
      title: 'Edit a',
      kind: 'edit',
      status: 'completed',
      content: [diff],
    }
    const plan = [{ content: 'look', priority: 'low', status: 'pending' }]
    const { run, log } = agent([{ plan }, { tool }, END])
    await run()
    expect(log.all.filter(({ kind }) => kind === 'tool')).toEqual([
      { kind: 'tool', tool: 'plan', input: plan, status: 'completed' },
      { kind: 'tool', tool: 'edit', title: 'Edit a', output: '/a\n- x\n+ y', status: 'completed' },
    ])
  })

  it.each([
    ['refusal', 'refused'],
    ['max_tokens', 'other'],
    ['cancelled', 'other'],
  ])('is a failure when the turn ends by %s', async (stop, failure) => {
    expect(assertDead(await agent([{ stop }]).run())).toMatchObject({ failure })
  })
})

describe('a question of the agent', () => {
  it.each([
    ['allow-once', 'user', 'yes'],
    ['allow-run', 'user', 'always'],
    ['reject', 'policy', 'no'],
    ['reject', 'cancelled', 'cancelled'],
  ] as const)('answered %s by %s reaches it as %s', async (answer, by, text) => {
    const { run } = agent([{ permission: 'Write x' }, END])
    const asked: unknown[] = []
    const askPermission: AgentRequest['askPermission'] = (question) => {
      asked.push(question)
      return Promise.resolve({ answer, by })
    }
    expect(assertOk(await run({ askPermission })).output).toBe(text)
    expect(asked).toEqual([
      { id: '1.1.1', title: 'Write x', detail: '{"path":"x"}', options: ['allow-once', 'allow-run', 'reject'] },
    ])
  })
})

describe('a cancel', () => {
  it('reaches the agent, open questions are answered as cancelled, and late words are not shown', async () => {
    const { run, log, controller, told } = agent([{ text: 'working' }, { permission: 'Write x' }, { late: 'late' }])
    const askPermission: AgentRequest['askPermission'] = () =>
      new Promise((resolve) => {
        controller.signal.addEventListener('abort', () => resolve({ answer: 'reject', by: 'cancelled' }))
        controller.abort()
      })
    const dead = assertDead(await run({ askPermission }))
    expect(dead.error).toContain('cancelled')
    expect(told('cancel')).toEqual([true])
    expect(told('permission')).toEqual([{ outcome: 'cancelled' }])
    expect(log.all.map((shown) => ('text' in shown ? shown.text : shown.kind))).toEqual(['working'])
  })

  const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
  it.concurrent.each([
    ['before the agent is there', 'nothing', [], undefined],
    ['while it introduces itself', 'initialize', [], 'stalled'],
    ['while its session is made', 'session/new', [], 'stalled'],
    ['while its model is chosen', 'session/set_config_option', [], 'stalled'],
    ['while its first turn begins', 'session/prompt', [], 'stalled'],
    ['in a tool call', 'nothing', [{ tool: TOOL }, { hang: true }], 'prompt'],
    ['between two answers', 'nothing', [{ output: { n: 'x' } }, { hang: true }], 'verdict'],
  ] as const)('%s ends the agent and what it started, of any generation', async (_when, stall, steps, until) => {
    const runId = asRunId(`CANCEL${records}`)
    const env = { WEFT_TEST_STALL: stall }
    const { run, controller, told } = agent([...steps], { env, timing: { cancelToTermMs: 100, cancelToKillMs: 300 } })
    const running = run({ runId, model: 'm-1', structured: makeStructured(schema) })
    if (until !== undefined)
      await vi.waitFor(() => expect(told(until)).not.toEqual([]), { timeout: 20_000, interval: 20 })
    // The mark finds them where there is something to be found.
    if (until !== undefined && process.platform === 'linux')
      expect(processesWith(`WEFT_RUN_ID=${runId}\0`)).not.toEqual([])
    const cancelledAt = performance.now()
    controller.abort()
    const dead = assertDead(await running)
    expect(dead.error).toContain('cancelled')
    expect(performance.now() - cancelledAt).toBeLessThan(5_000)
    expect(processesWith(`WEFT_RUN_ID=${runId}\0`)).toEqual([])
  })
})
