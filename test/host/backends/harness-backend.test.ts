import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { agentFile } from '../../agents/requests.ts'
import { makeHost } from '../../support/host/make-host.ts'
import { script } from '../../support/host/scripts.ts'
import { watchRun } from '../../support/host/watch-run.ts'

// Agents are processes, which start slowly where many others run.
vi.setConfig({ testTimeout: 60_000 })

describe('the back end `harness`', () => {
  test("runs agents of the caller's own kind, and refuses whoever has none in the agreed words", async () => {
    const { host, folders } = await makeHost()
    const own = { kind: 'command', protocol: 'jsonl', command: ['node', agentFile('echo-agent.mjs')] }
    const harness = { kind: 'harness', clients: { 'claude-code': 'own', lost: 'gone' } }
    await writeFile(join(folders.dataDir, 'settings.json'), JSON.stringify({ backends: { harness, own } }))
    const source = { kind: 'text', text: script('test', "return (await agent('hi')).length > 0") } as const
    const start = (name: string) => {
      const session = host.openSession({ kind: 'harness', name, workspace: folders.workspace })
      return {
        session,
        started: session.call('run.start', { workspace: folders.workspace, source, backend: 'harness' }),
      }
    }
    const { session, started } = start('claude-code')
    const watched = await watchRun(session, (await started).runId)
    const state = await watched.ended
    watched.stop()
    expect(state.status).toBe('completed')
    for (const name of ['codex', 'lost'])
      // oxlint-disable-next-line no-await-in-loop -- one refusal at a time
      await expect(start(name).started).rejects.toMatchObject({
        code: 'BACKEND_UNAVAILABLE',
        message: expect.stringContaining(
          `workflow tool requires a calling agent (${name} has no agent back end configured)`,
        ),
      })
  })
})
