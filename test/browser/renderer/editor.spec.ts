import { pathOf } from '../../support/renderer/sample-host.ts'
import { expect, test } from '../../support/renderer/stubbed-window.ts'

const FILE = 'review-changes.js'

test('a problem is marked in the text, and Enter on it goes there', async ({ window }) => {
  const editor = await window.openWorkflow('review-changes')
  await expect(window.problems.item('7:23 Date.now() is not available.')).toBeVisible()
  await expect(editor.squiggles.first()).toBeAttached()
  await window.problems.item('Date.now').getByRole('button').first().focus()
  await window.page.keyboard.press('Enter')
  await window.page.keyboard.type('new ')
  await expect(editor.lines).toContainText('at: new Date.now()')
})

test('problems follow the text', async ({ window }) => {
  const editor = await window.openWorkflow('review-changes')
  await editor.replaceText('return 1\n')
  await expect(window.problems.region).toContainText('No problems')
  await expect(editor.squiggles).toHaveCount(0)
  await editor.typeAtEnd('Date.now()')
  await expect(window.problems.item('2:1 Date.now() is not available.')).toBeVisible()
})

test('Ctrl+S saves what was typed', async ({ window, host }) => {
  const editor = await window.openWorkflow('review-changes')
  await editor.replaceText('return 1\n')
  await expect(editor.dirtyMark(FILE)).toBeVisible()
  await editor.save()
  await expect(editor.dirtyMark(FILE)).toHaveCount(0)
  expect(host.disk.get(pathOf('review-changes'))).toBe('return 1\n')
})

test('a text that someone else changed meanwhile is not saved over unasked', async ({ window, host }) => {
  const editor = await window.openWorkflow('review-changes')
  await editor.replaceText('return "mine"\n')
  host.disk.set(pathOf('review-changes'), 'return "theirs"\n')
  await editor.save()
  await expect(window.alerts).toContainText('changed on disk')
  expect(host.disk.get(pathOf('review-changes'))).toBe('return "theirs"\n')
  await window.page.getByRole('button', { name: 'Take theirs' }).click()
  await expect(editor.lines).toContainText('theirs')
  await editor.focus()
  await window.page.keyboard.press('ControlOrMeta+Z')
  await expect(editor.lines).toContainText('mine')
})

test('a clean text is reloaded when the file changes, and undo still works', async ({ window, host }) => {
  const editor = await window.openWorkflow('review-changes')
  host.disk.set(pathOf('review-changes'), 'return "theirs"\n')
  host.push('workflows.changed', { workspace: '/workspace' })
  await expect(editor.lines).toContainText('theirs')
  await expect(editor.dirtyMark(FILE)).toHaveCount(0)
  await editor.focus()
  await window.page.keyboard.press('ControlOrMeta+Z')
  await expect(editor.lines).toContainText('list changed files')
})

test('two open scripts that both declare meta have no problems with each other', async ({ window }) => {
  const editor = await window.openWorkflow('review-changes')
  const text = "export const meta = { name: 'a', description: 'b' }\nconst x = 1\nreturn await agent(`${x}`)\n"
  await editor.replaceText(text)
  await window.openWorkflow('bug-hunt')
  await editor.replaceText(text)
  await expect(window.problems.region).toContainText('No problems')
  await expect(editor.squiggles).toHaveCount(0)
})

test('each file keeps its own undo', async ({ window }) => {
  const editor = await window.openWorkflow('review-changes')
  await editor.replaceText('return "first"\n')
  await window.openWorkflow('bug-hunt')
  await editor.replaceText('return "second"\n')
  await window.tab(FILE).click()
  await expect(editor.lines).toContainText('first')
  await editor.focus()
  await window.page.keyboard.press('ControlOrMeta+Z')
  await expect(editor.lines).toContainText('list changed files')
  await window.tab('bug-hunt.js').click()
  await expect(editor.lines).toContainText('second')
})

test('hooks are offered with their options while typing', async ({ window }) => {
  const editor = await window.openWorkflow('review-changes')
  // Monaco has no offers for a second word that is typed while it still awaits the first one's: only one is typed here.
  await editor.replaceText('\nawait ')
  await editor.typeAtEnd('pipel')
  const offers = window.page.locator('.suggest-widget.visible .monaco-list-row')
  await expect(offers.first()).toContainText('pipeline')
})

test('unsaved text survives the page', async ({ window, host }) => {
  const editor = await window.openWorkflow('review-changes')
  await editor.replaceText('return "unsaved"\n')
  // It is put aside shortly after the last key.
  await expect.poll(() => host.files.drafts.get(pathOf('review-changes'))?.text).toContain('unsaved')
  await window.page.reload()
  await window.waitUntilReady()
  await expect(editor.lines).toContainText('unsaved')
  await expect(editor.dirtyMark(FILE)).toBeVisible()
})

test('closing a tab with unsaved text asks, and keeps the file as it was on request', async ({ window, host }) => {
  const editor = await window.openWorkflow('review-changes')
  await editor.replaceText('return 1\n')
  await window.closeTab(FILE)
  const question = window.page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(window.tab(FILE)).toBeVisible()
  await window.closeTab(FILE)
  await question.getByRole('button', { name: 'Don’t save' }).click()
  await expect(window.tab(FILE)).toHaveCount(0)
  expect(host.callsOf('workflows.save')).toEqual([])
})

test('an edited text is dry-run as it stands, under the name of its file', async ({ window, host }) => {
  const editor = await window.openWorkflow('review-changes')
  await editor.replaceText('return 1\n')
  await window.page.keyboard.press('ControlOrMeta+Enter')
  await expect(window.run.plan).toContainText('≈ 4 m 12 s')
  expect(host.callsOf('run.dryRun')).toEqual([
    {
      workspace: '/workspace',
      source: { kind: 'text', text: 'return 1\n', fileName: FILE, path: pathOf('review-changes') },
    },
  ])
})

test('a bundled workflow is read only', async ({ window }) => {
  const editor = await window.openWorkflow('judge-panel')
  await editor.focus()
  await window.page.keyboard.type('x')
  await expect(editor.dirtyMark('judge-panel.js')).toHaveCount(0)
  await expect(window.page.getByText('Read only')).toBeVisible()
})
