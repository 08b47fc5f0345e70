import { checkAccessibility } from '../../support/renderer/check-accessibility.ts'
import { expect, test } from '../../support/renderer/stubbed-window.ts'

test('settings are changed one by one, and what is refused is said by its field', async ({ window, host }) => {
  await window.page.keyboard.press('ControlOrMeta+,')
  const { settings } = window
  await expect(settings.field('Agents at once')).toHaveValue('8')
  await settings.field('Agents at once').fill('4')
  await settings.field('Retries').fill('200')
  await window.page.keyboard.press('Enter')
  await expect(settings.noteOf('Retries')).toContainText('must be <= 100, not 200')
  await settings.field('Retries').fill('2')
  await settings.field('Keep runs for').focus()
  await expect(settings.noteOf('Retries')).not.toContainText('must be')
  await expect
    .poll(() => host.files.settings)
    .toEqual({
      backends: { claude: { kind: 'acp', command: ['claude-agent-acp'], later: true } },
      maxConcurrentAgents: 4,
      agentRetries: 2,
    })
})

test('back ends are added, made the default and removed, and others stay as they are', async ({ window, host }) => {
  await window.chooseCommand('Settings')
  const { settings } = window
  await settings.addCommandBackend('mine', ['node', 'agent.mjs'])
  await settings.field('Default back end').selectOption('mine')
  const claude = { kind: 'acp', command: ['claude-agent-acp'], later: true }
  await expect
    .poll(() => host.files.settings)
    .toMatchObject({
      backends: { claude, mine: { kind: 'command', protocol: 'jsonl', command: ['node', 'agent.mjs'] } },
      defaultBackend: 'mine',
    })
  await settings.button('Remove mine').click()
  await expect.poll(() => host.files.settings).toEqual({ backends: { claude }, maxConcurrentAgents: 8 })
})

test('the file is edited as JSON, and saved only when it is right', async ({ window, host }) => {
  await window.chooseCommand('Settings')
  const { settings } = window
  await settings.button('Edit as JSON').click()
  await settings.json.fill('{"agentRetries": 200')
  await expect(settings.button('Save settings')).toBeDisabled()
  await settings.json.fill('{"agentRetries": 200}')
  await settings.button('Save settings').click()
  await expect(window.page.getByText('agentRetries must be <= 100, not 200')).toBeVisible()
  await settings.json.fill('{"agentRetries": 3}')
  await settings.button('Save settings').click()
  await expect.poll(() => host.files.settings).toEqual({ agentRetries: 3 })
})

test('a settings file that can not be used is shown as it is, with what is wrong', async ({ window, host }) => {
  host.handlers['settings.get'] = () => ({
    settings: {},
    path: '/data/settings.json',
    errors: ['it is not JSON: Unexpected end'],
    warnings: [],
    text: '{"agentRetries": ',
  })
  await window.chooseCommand('Settings')
  await expect(window.alerts).toContainText('it is not JSON: Unexpected end')
  await expect(window.settings.json).toHaveValue('{"agentRetries": ')
})

test('theme and font size are chosen there too', async ({ window }) => {
  await window.openWorkflow('review-changes')
  await window.chooseCommand('Settings')
  await window.settings.field('Theme').selectOption('Light')
  await expect.poll(() => window.theme()).toBe('light')
  await window.settings.field('Editor font size').fill('20')
  await window.page.keyboard.press('Enter')
  await window.tab('review-changes.js').click()
  await expect(window.editor.lines).toHaveCSS('font-size', '20px')
})

test('the sheet of shortcuts opens by ? and names every action that has one', async ({ window }) => {
  await window.workflows.getByRole('button', { name: 'Workflows', exact: true }).focus()
  await window.page.keyboard.press('Shift+?')
  const sheet = window.page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(sheet).toContainText('Dry run')
  await expect(sheet).toContainText('Ctrl+Enter')
  await window.page.keyboard.press('Escape')
  const editor = await window.openWorkflow('review-changes')
  await editor.typeAtEnd('a ? b')
  await expect(sheet).toBeHidden()
  await expect(editor.lines).toContainText('a ? b')
})

test('harnesses are set up, waited for and seen when they connect; nothing that changed meanwhile is written over', async ({
  window,
  host,
}) => {
  const { page } = window
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await window.chooseCommand('Settings')
  const section = page.getByRole('region', { name: 'Connections' })
  const codex = section.getByRole('listitem', { name: 'Codex' })
  // Those of this machine come first.
  await expect(section.getByRole('list', { name: 'Harnesses' }).getByRole('listitem').last()).toContainText('Zed')
  await expect(section).toContainText('line 3, column 2: a comma is missing')
  await codex.getByRole('button', { name: 'Connect Codex for you' }).click()
  await expect(codex.getByLabel('Changes')).toContainText('+ command = "weft"')
  await expect(codex).toContainText('Changes in /home/me/.codex/config.toml, from line 12:')
  await checkAccessibility(page, 'connections')
  await codex.getByRole('button', { name: 'Copy the entry for Codex' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('[mcp_servers.weft]')
  await expect(codex.getByRole('status')).toHaveText('Waiting for it…')
  host.connections.hash = 'changed-since'
  await codex.getByRole('button', { name: 'Write to the file' }).click()
  await expect(window.alerts).toContainText('config.toml was changed meanwhile; nothing was touched')
  expect([...host.connections.written]).toEqual([])
  await codex.getByRole('button', { name: 'Write to the file' }).click()
  await expect(window.notices).toContainText('as it was: /home/me/.codex/config.toml.before-weft')
  await expect(codex).toContainText('set up')
  const name = 'codex-mcp-client \u202e<img src=x onerror=alert(1)>'
  host.connect(
    { id: 'one', name, version: '0.171.0', workspace: '/work', since: Date.now() - 120_000, calls: 1234 },
    { id: 'two', name: null, version: null, workspace: '/other', since: Date.now(), calls: 0 },
  )
  await expect(codex.getByRole('status')).toHaveText('Connected')
  const connected = section.getByRole('table', { name: 'Connected harnesses' })
  await expect(connected.getByRole('row', { name: /^codex-mcp-client/ })).toContainText('0.171.0')
  await expect(connected.getByRole('row', { name: /^codex-mcp-client/ })).toContainText('2 m ago')
  await expect(connected.getByRole('row', { name: /^codex-mcp-client/ })).toContainText('1,234')
  await expect(connected.locator('img')).toHaveCount(0)
  await expect(window.page.getByRole('contentinfo').getByRole('button', { name: '2 harnesses' })).toBeVisible()
  await codex.getByRole('button', { name: 'Remove from Codex for you' }).click()
  await codex.getByRole('button', { name: 'Remove from the file' }).click()
  await expect(codex).toContainText('not set up')
})
