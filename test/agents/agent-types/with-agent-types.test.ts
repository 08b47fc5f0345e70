import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionFolders } from '../../../src/agents/agent-types/read-definition.ts'
import { withAgentTypes } from '../../../src/agents/agent-types/with-agent-types.ts'
import { refuseByCapabilities } from '../../../src/agents/capabilities.ts'
import type { AgentBackend, AgentRequest } from '../../../src/engine/index.ts'
import type { BackendCapabilities } from '../../../src/shared/index.ts'
import { assertDead, assertOk, makeRequest, NO_HOST } from '../requests.ts'

const root = mkdtempSync(join(tmpdir(), 'weft-agent-types-'))
const workspace = join(root, 'workspace')
const home = join(root, 'home')

beforeAll(() => {
  for (const folder of definitionFolders(workspace, home, join(root, 'config'))) mkdirSync(folder, { recursive: true })
  const write = (path: string, text: string): void => writeFileSync(join(root, path), text)
  const reviewer = '---\nname: reviewer\ndescription: Reviews\ntools: Read, Grep\nmodel: m-9\n---\nYou review.\n'
  write('workspace/.claude/agents/a-reviewer.md', reviewer)
  write('home/.claude/agents/reviewer.md', '---\nname: reviewer\n---\nFrom the home folder.\n')
  write('home/.claude/agents/scout.md', '---\r\nname: scout\r\ntools: [Read]\r\nmodel: sonnet\r\n---\r\nYou scout.\r\n')
  write('config/agents/broken.md', '---\nname: broken\ntools: {a: 1}\n---\nx\n')
})
afterAll(() => {
  rmSync(root, { recursive: true, force: true })
})

const CAPABILITIES: BackendCapabilities = {
  schema: 'native',
  models: true,
  effort: true,
  agentType: false,
  allowedTools: true,
  worktree: false,
  usage: 'exact',
  cost: false,
  steer: false,
  permissions: false,
  resumeSession: false,
}

/** Tells the request that reaches the back end. */
function backend(capabilities: Partial<BackendCapabilities> = {}): AgentBackend & { seen: AgentRequest[] } {
  const can = { ...CAPABILITIES, ...capabilities }
  const seen: AgentRequest[] = []
  const inner: AgentBackend = {
    id: 'b',
    kind: 'command',
    capabilities: can,
    refuse: (asked) => refuseByCapabilities('b', can, asked),
    runner: {
      run: (request) => {
        seen.push(request)
        return Promise.resolve({ kind: 'ok', output: 'done', usage: { outputTokens: 1 } })
      },
    },
  }
  const folders = (cwd: string): string[] => definitionFolders(cwd, home, join(root, 'config'))
  return { ...withAgentTypes(inner, { folders, claudeModels: false }), seen }
}

const signal = new AbortController().signal
const ask = (over: AgentBackend, request: Partial<AgentRequest>) =>
  over.runner.run(makeRequest({ cwd: workspace, prompt: 'Go.', ...request }), NO_HOST, signal, () => {})

describe('a named agent', () => {
  it('is the nearest of its name: its text goes ahead of the prompt, its tools and model into the call', async () => {
    const over = backend()
    expect(over.refuse?.({ agentType: 'reviewer' })).toBeUndefined()
    assertOk(await ask(over, { agentType: 'reviewer' }))
    expect(over.seen[0]).toMatchObject({
      prompt: '<instructions agent="reviewer">\nYou review.\n</instructions>\n\nGo.',
      model: 'm-9',
      allowedTools: ['Read', 'Grep'],
    })
    expect(over.seen[0]).not.toHaveProperty('agentType')
  })

  it('gives way to what the call says, and has no more tools than both allow', async () => {
    const over = backend()
    await ask(over, { agentType: 'reviewer', model: 'm-1', allowedTools: ['Grep', 'Bash'] })
    expect(over.seen[0]).toMatchObject({ model: 'm-1', allowedTools: ['Grep'] })
  })

  it("keeps the back end's own model where the name is Claude Code's, and says so", async () => {
    const warned: string[] = []
    const over = backend()
    await ask(over, { agentType: 'scout', warn: (code, message) => warned.push(`${code} ${message}`) })
    expect(over.seen[0]).not.toHaveProperty('model')
    expect(over.seen[0]?.prompt).toContain('\nYou scout.\n')
    expect(warned).toEqual([expect.stringContaining('agent-type/model')])
  })

  it.each([
    ['revewer', 'did you mean "reviewer"?'],
    ['nothing-like-it', 'known are'],
    ['broken', 'neither a list nor names with commas'],
  ])('%s is refused before anything starts', async (agentType, words) => {
    const over = backend()
    const dead = assertDead(await ask(over, { agentType }))
    expect(dead).toMatchObject({ notStarted: true, error: expect.stringContaining(words) })
    expect(over.seen).toEqual([])
  })

  it('is refused by a back end that cannot keep it to its tools', async () => {
    const over = backend({ allowedTools: false })
    const dead = assertDead(await ask(over, { agentType: 'reviewer' }))
    expect(dead).toMatchObject({ notStarted: true, error: expect.stringContaining('restrict tools') })
  })
})
