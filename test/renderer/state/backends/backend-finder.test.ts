import { expect, test } from 'vitest'
import { createBackendFinder } from '../../../../src/renderer/state/backends/backend-finder.ts'
import { createNotices } from '../../../../src/renderer/state/notices.ts'
import { createHostSettings } from '../../../../src/renderer/state/settings/host-settings.ts'
import type { FoundAgent, JsonObject, JsonValue } from '../../../../src/shared/index.ts'
import { FakeHost } from '../../../support/renderer/fake-host.ts'

const agent = (id: string, signedIn: boolean | null, program: string | null = `/bin/${id}`): FoundAgent => ({
  id,
  settings: { kind: 'command', preset: id },
  program,
  installed: true,
  version: '1.0.0',
  signedIn,
  detail: '',
  capabilities: {
    schema: 'native',
    models: true,
    effort: true,
    agentType: true,
    allowedTools: true,
    worktree: true,
    usage: 'exact',
    cost: true,
    steer: false,
    permissions: false,
    resumeSession: false,
  },
  configured: [],
})

function make(settings: JsonObject, found: FoundAgent[]) {
  let file: JsonValue = settings
  const host = new FakeHost({
    'settings.get': () => ({ settings: file, path: '', errors: [], warnings: [], text: '' }),
    'settings.set': ({ settings: next }) => {
      // What the window wrote is JSON.
      file = next as JsonValue
      return { settings: file }
    },
    'backends.find': () => ({ found }),
  })
  const notices = createNotices(() => undefined)
  const finder = createBackendFinder({ client: host, settings: createHostSettings(host), notices })
  const offered = () => notices.store.getState().notices.find(({ kind }) => kind === 'offer')
  return { finder, offered, host, read: () => file }
}

test('who is signed in is offered while nothing is configured, and the choice is written', async () => {
  const found = [agent('claude', false), agent('codex', true), agent('qwen', null), agent('anthropic', true, null)]
  const { finder, offered, read } = make({ agentRetries: 1 }, found)
  await finder.offer()
  expect(offered()?.actions?.map(({ label }) => label)).toEqual(['Use codex', 'Keep simulating'])
  await finder.add(found[1]!, true)
  const backends = { codex: { kind: 'command', preset: 'codex' } }
  expect(read()).toEqual({ agentRetries: 1, backends, defaultBackend: 'codex' })
})

test('nothing is looked for once a back end was chosen, and nothing is offered where nobody is signed in', async () => {
  const chosen = make({ defaultBackend: 'simulated' }, [agent('codex', true)])
  await chosen.finder.offer()
  expect(chosen.offered()).toBeUndefined()
  expect(chosen.host.calls.map(({ name }) => name)).toEqual(['settings.get'])
  const none = make({}, [agent('codex', null)])
  await none.finder.offer()
  expect(none.offered()).toBeUndefined()
})
