import type { FoundAgent, JsonValue } from '../../../src/shared/index.ts'
import { expect, test } from '../../support/renderer/stubbed-window.ts'

const CODEX: FoundAgent = {
  id: 'codex',
  settings: { kind: 'command', preset: 'codex' },
  program: '/bin/codex',
  installed: true,
  version: '0.171.0',
  signedIn: true,
  detail: 'as "login status" says',
  capabilities: {
    schema: 'native',
    models: true,
    effort: true,
    agentType: true,
    allowedTools: false,
    worktree: true,
    usage: 'exact',
    cost: false,
    steer: false,
    permissions: false,
    resumeSession: false,
  },
  configured: [],
}

test('agents of this machine are listed in the settings with what they support, and added', async ({
  window,
  host,
}) => {
  let settings: JsonValue = { defaultBackend: 'simulated' }
  host.handlers['settings.get'] = () => ({ settings, path: '/data/settings.json', errors: [], warnings: [], text: '' })
  host.handlers['settings.set'] = (params) => {
    // What the window wrote is JSON.
    settings = params.settings as JsonValue
    return { settings }
  }
  host.handlers['backends.find'] = () => ({
    found: [
      { ...CODEX, configured: JSON.stringify(settings).includes('codex') ? ['codex'] : [] },
      { ...CODEX, id: 'claude', installed: false, program: null, version: null, signedIn: null },
    ],
  })
  await window.chooseCommand('Settings')
  await window.page.getByRole('button', { name: 'Look for agents on this machine' }).click()
  const table = window.page.getByRole('table', { name: 'Agents on this machine' })
  await expect(table.getByRole('row')).toHaveCount(2)
  await expect(table.getByRole('row', { name: /codex/ })).toContainText('0.171.0yesschema by native')
  await table.getByRole('button', { name: 'Add codex' }).click()
  await expect(table).toContainText('In the settings')
  expect(settings).toEqual({
    defaultBackend: 'simulated',
    backends: { codex: { kind: 'command', preset: 'codex' } },
  })
})
