import { checkAccessibility } from '../../support/renderer/check-accessibility.ts'
import { pathOf } from '../../support/renderer/sample-host.ts'
import { expect, test } from '../../support/renderer/stubbed-window.ts'

const FILE = 'review-changes.js'
const PATH = pathOf('review-changes')

test('a problem is mended by its quick fix, in the list and in the text, and undone in one step', async ({
  window,
}) => {
  const editor = await window.openWorkflow('review-changes')
  await window.problems.fix('Date.now', 'Take it from args')
  await expect(editor.lines).toContainText('at: args.now }')
  await editor.focus()
  await window.page.keyboard.press('ControlOrMeta+Z')
  await expect(editor.lines).toContainText('at: Date.now() }')
  await window.problems.open('Date.now')
  await window.page.keyboard.press('ControlOrMeta+.')
  await expect(window.page.locator('.action-widget', { hasText: 'Take it from args' })).toBeVisible()
  await window.page.keyboard.press('Enter')
  await expect(editor.lines).toContainText('at: args.now }')
})

test('patterns, titles of phases and names of workflows are offered where they fit', async ({ window, host }) => {
  const offers = window.page.locator('.suggest-widget.visible .monaco-list-row')
  host.handlers['script.diagnose'] = () => ({
    meta: { name: 'a', description: 'b', phases: [{ title: 'Discover' }] },
    diagnostics: [],
  })
  const editor = await window.openWorkflow('review-changes')
  await editor.replaceText("export const meta = { name: 'a', description: 'b' }\n")
  await editor.typeAtEnd('loop-u')
  await expect(offers.first()).toContainText('loop-until-dry')
  await window.page.keyboard.press('Enter')
  await expect(editor.lines).toContainText('const mostRounds = 5')
  await editor.replaceText("export const meta = { name: 'a', description: 'b' }\n")
  await editor.typeAtEnd("phase('")
  await expect(offers.first()).toContainText('Discover')
  await window.page.keyboard.press('Enter')
  await expect(editor.lines).toContainText("phase('Discover')")
  await editor.replaceText("export const meta = { name: 'a', description: 'b' }\nawait ")
  await editor.typeAtEnd("workflow('bug")
  await expect(offers.first()).toContainText('bug-hunt')
  await window.page.keyboard.press('Enter')
  await window.page.keyboard.press('ArrowLeft')
  await window.page.keyboard.press('F12')
  await expect(window.tab('bug-hunt.js')).toHaveAttribute('aria-selected', 'true')
})

test('a literal schema gives the answer its type in the editor', async ({ window }) => {
  const editor = await window.openWorkflow('review-changes')
  await editor.replaceText(
    "const found = await agent('x', { schema: { type: 'object', properties: { bugs: { type: 'array' } } } })\n",
  )
  await editor.typeAtEnd('found?.')
  await expect(window.page.locator('.suggest-widget.visible .monaco-list-row').first()).toContainText('bugs')
})

test('a workflow is made from a pattern, copied, renamed with its name in meta, and deleted', async ({
  window,
  host,
}) => {
  const editor = await window.newWorkflow('first-try', 'Fan-out')
  const path = pathOf('first-try')
  expect(host.disk.get(path)).toContain("name: 'first-try'")
  await expect(editor.lines).toContainText('await parallel(')

  await editor.fileAction('Rename…')
  const dialog = window.page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Second')
  await expect(dialog).toContainText('Small letters')
  await dialog.getByLabel('Name').fill('review-changes')
  await expect(dialog).toContainText('review-changes.js exists already')
  await dialog.getByLabel('Name').fill('second-try')
  await window.page.keyboard.press('Enter')
  await expect(window.tab('second-try.js')).toBeVisible()
  await expect(window.tab('first-try.js')).toHaveCount(0)
  expect(host.disk.get(pathOf('second-try'))).toContain("name: 'second-try'")

  await editor.fileAction('Delete…')
  const question = window.page.getByRole('alertdialog')
  await expect(question).toContainText('second-try.js')
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(window.tab('second-try.js')).toHaveCount(0)
  expect(host.disk.has(pathOf('second-try'))).toBe(false)
})

test('fixtures are made beside the script, saved before the next dry run, which is of the script', async ({
  window,
  host,
}) => {
  const editor = await window.openWorkflow('review-changes')
  await editor.fileAction('Open fixtures')
  await expect(window.tab('review-changes.fixtures.json')).toBeVisible()
  const fixtures = '/workspace/workflows/review-changes.fixtures.json'
  expect(JSON.parse(host.disk.get(fixtures) ?? '')).toMatchObject({ calls: [{ match: {} }] })
  await editor.waitUntilReady()
  await editor.replaceText('{"calls":[]}')
  await editor.dryRun()
  await expect(window.run.plan).toBeVisible()
  expect(host.disk.get(fixtures)).toBe('{"calls":[]}')
  expect(host.callsOf('run.dryRun')).toEqual([{ workspace: '/workspace', source: { kind: 'path', path: PATH } }])
})

test('dry run options are kept by file and said in the plan', async ({ window, host }) => {
  await window.openWorkflow('review-changes')
  await window.chooseCommand('Dry run options…')
  const dialog = window.page.getByRole('dialog', { name: /^Dry run options/ })
  await dialog.getByLabel('Failing calls (%)').fill('30')
  await dialog.getByLabel('Calls that fail').fill('list changed files')
  await dialog.getByLabel('When agents ask').selectOption('Reject')
  await dialog.getByRole('button', { name: 'Dry run' }).click()
  await expect(window.run.plan).toContainText('30% of calls fail · fails: list changed files · permissions rejected')
  await window.run.plan.getByRole('button', { name: 'Dry run again' }).click()
  const simulation = { failRate: 0.3, failCalls: ['list changed files'], permissions: 'reject' }
  await expect.poll(() => host.callsOf('run.dryRun')).toMatchObject([{ simulation }, { simulation }])
})

test('args are asked for by a form where there is a schema, and as JSON too', async ({ window, host }) => {
  host.argsSchema = {
    type: 'object',
    required: ['topic'],
    properties: { topic: { type: 'string' }, depth: { type: 'integer', maximum: 5, default: 2 } },
  }
  const listed = host.callsOf('workflows.list').length
  host.push('workflows.changed', { workspace: '/workspace' })
  await expect.poll(() => host.callsOf('workflows.list').length).toBe(listed + 1)
  const editor = await window.openWorkflow('review-changes')
  await editor.run()
  const { dialog, start, args } = window.runDialog
  await expect(dialog.getByLabel('depth')).toHaveValue('2')
  await expect(dialog.getByLabel('topic')).toBeFocused()
  await expect(start).toBeDisabled()
  await dialog.getByLabel('topic').fill('locks')
  await dialog.getByLabel('depth').fill('6')
  await expect(dialog).toContainText('At most 5.')
  await dialog.getByLabel('depth').fill('3')
  await dialog.getByRole('button', { name: 'Edit as JSON' }).click()
  expect(JSON.parse(await args.inputValue())).toEqual({ topic: 'locks', depth: 3 })
  await args.fill('{"topic":"races"}')
  await dialog.getByRole('button', { name: 'Fill in a form' }).click()
  await expect(dialog.getByLabel('topic')).toHaveValue('races')
  await start.click()
  await expect.poll(() => host.callsOf('run.start')).toMatchObject([{ args: { topic: 'races' } }])
})

test('a conflict is looked at side by side in two models, and settled there', async ({ window, host }) => {
  const editor = await window.openWorkflow('review-changes')
  await editor.replaceText('return "mine"\n')
  host.disk.set(PATH, 'return "theirs"\n')
  await editor.save()
  await window.page.getByRole('button', { name: 'Compare' }).click()
  const diff = window.page.locator('.monaco-diff-editor')
  await expect(diff).toContainText('theirs')
  await expect(diff).toContainText('mine')
  // Whatever changes, they are the same two.
  const models = (): Promise<number> => window.page.locator('.monaco-diff-editor .monaco-editor[data-uri]').count()
  for (let round = 1; round <= 100; round++) {
    host.disk.set(PATH, `return "theirs ${round}"\n`)
    host.push('workflows.changed', { workspace: '/workspace' })
    if (round % 50 === 0) await expect(diff).toContainText(`theirs ${round}`)
    expect(await models()).toBe(2)
  }
  await window.page.getByRole('button', { name: 'Take theirs' }).click()
  await expect(window.tab(FILE)).toHaveAttribute('aria-selected', 'true')
  await expect(editor.lines).toContainText('theirs 100')
})

test('a script is compared with the one that a run used, which can be kept as a workflow', async ({ window, host }) => {
  await window.openWorkflow('review-changes')
  await window.chooseCommand('Compare script with…')
  await window.page.getByRole('combobox').fill('run of review')
  await window.page.keyboard.press('Enter')
  await expect(window.page.locator('.monaco-diff-editor')).toContainText('as it was')
  await window.openRun('review-changes', 'running')
  await window.chooseCommand('Save the run’s script as a workflow…')
  const dialog = window.page.getByRole('dialog', { name: /^Save the run/ })
  await dialog.getByLabel('Name').fill('kept')
  await window.page.keyboard.press('Enter')
  await expect(window.tab('kept.js')).toBeVisible()
  expect(host.disk.get(pathOf('kept'))).toBe("return 'as it was'\n")
})

test('typing goes to the workers, never to the page itself', async ({ window }) => {
  const warnings: string[] = []
  window.page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
  const editor = await window.openWorkflow('review-changes')
  // Monaco has no offers for a second word that is typed while it still awaits the first one's: only one is typed here.
  await editor.replaceText('\nawait ')
  await editor.typeAtEnd('pipel')
  await expect(window.page.locator('.suggest-widget.visible')).toBeVisible()
  expect(warnings.filter((text) => /worker/i.test(text))).toEqual([])
})

for (const colorScheme of ['dark', 'light'] as const) {
  test(`no view of an author breaks an accessibility rule in the ${colorScheme} theme`, async ({ window, host }) => {
    test.slow()
    const { page, editor } = window
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    host.argsSchema = {
      type: 'object',
      required: ['topic'],
      properties: { topic: { type: 'string', description: 'What to look at.' }, deep: { type: 'boolean' } },
    }
    const listed = host.callsOf('workflows.list').length
    host.push('workflows.changed', { workspace: '/workspace' })
    await expect.poll(() => host.callsOf('workflows.list').length).toBe(listed + 1)
    const check = (view: string): Promise<void> => checkAccessibility(page, view)
    const checkDialog = async (name: RegExp): Promise<void> => {
      await expect(page.getByRole('dialog', { name })).toBeVisible()
      // The library's own guards of the focus are around it.
      await checkAccessibility(page, String(name), '[role="dialog"]')
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog', { name })).toHaveCount(0)
    }
    await window.openWorkflow('review-changes')
    await expect(window.problems.item('Date.now')).toBeVisible()
    await check('editor and problems')
    await window.workflows.getByRole('button', { name: 'New workflow', exact: true }).click()
    await checkDialog(/^New workflow/)
    await editor.run()
    await checkDialog(/^Run /)
    await window.chooseCommand('Dry run options…')
    await checkDialog(/^Dry run options/)
    await window.chooseCommand('Keyboard shortcuts')
    await checkDialog(/^Keyboard shortcuts/)
    await editor.replaceText('return "mine"\n')
    host.disk.set(PATH, 'return "theirs"\n')
    await editor.save()
    await page.getByRole('button', { name: 'Compare' }).click()
    await expect(page.locator('.monaco-diff-editor')).toContainText('theirs')
    await check('conflict side by side')
    await window.chooseCommand('Settings')
    await expect(window.settings.field('Agents at once')).toBeVisible()
    await check('settings')
  })
}
