import { HostError } from '../../../src/shared/index.ts'
import { checkAccessibility } from '../../support/renderer/check-accessibility.ts'
import { expect, test } from '../../support/renderer/stubbed-window.ts'

test('workflows are listed by source, shadowed and broken ones as such', async ({ window }) => {
  await expect(window.workflow('research')).toContainText('Shadowed')
  await expect(window.workflow('broken')).toContainText('Broken')
  await expect(window.workflows).toContainText('broken.js:3:9 description: expected a string, got a number')
  await expect(window.workflows.getByRole('heading', { level: 3 })).toHaveText(['Project', 'User', 'Bundled'])
})

test('a degraded run never reads as completed alone', async ({ window }) => {
  await expect(window.runEntry('big', 'completed with failures, 10 failed')).toBeVisible()
})

test('tabs are opened, switched and closed by keys', async ({ window }) => {
  await window.quickOpen('bug-h')
  await expect(window.tab('bug-hunt.js')).toHaveAttribute('aria-selected', 'true')
  await window.openWorkflow('review-changes')
  await window.tab('review-changes.js').focus()
  await window.page.keyboard.press('ArrowLeft')
  await expect(window.tab('bug-hunt.js')).toHaveAttribute('aria-selected', 'true')
  await window.page.keyboard.press('Delete')
  await expect(window.page.getByRole('tab')).toHaveCount(1)
})

test('the sidebar lists are walked by arrows', async ({ window }) => {
  await window.workflows.getByRole('button', { name: 'Workflows', exact: true }).click()
  await window.page.keyboard.press('End')
  await expect(window.workflow('judge-panel')).toBeFocused()
  await window.page.keyboard.press('Enter')
  await expect(window.tab('judge-panel.js')).toBeVisible()
})

test('the theme follows the system until one is chosen, and the choice is remembered', async ({ window }) => {
  expect(await window.theme()).toBe('dark')
  await window.page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(() => window.theme()).toBe('light')
  await window.chooseCommand('Switch theme')
  await window.chooseCommand('Switch theme')
  await expect.poll(() => window.theme()).toBe('dark')
  await window.page.reload()
  await window.waitUntilReady()
  expect(await window.theme()).toBe('dark')
})

test('with reduced motion a theme changes at once, and nothing goes on moving', async ({ window }) => {
  const { page } = window
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await expect.poll(() => window.theme()).toBe('light')
  await window.runEntry('big', 'completed with failures, 10 failed').click()
  await expect(window.tab('big')).toBeVisible()
  const seen = await page.evaluate(() => {
    const word = document.querySelector('h2, h3, h1')
    const colour = (): string => (word === null ? '' : getComputedStyle(word).color)
    const before = colour()
    document.documentElement.dataset['theme'] = 'dark'
    const atOnce = colour()
    return {
      before,
      atOnce,
      moving: document.getAnimations().filter(({ playState }) => playState === 'running').length,
    }
  })
  expect(seen).toMatchObject({ moving: 0 })
  expect(seen.atOnce).not.toBe(seen.before)
  const settled = await page.evaluate(
    () => getComputedStyle(document.querySelector('h2, h3, h1') ?? document.body).color,
  )
  expect(settled).toBe(seen.atOnce)
})

test('sizes of panels are remembered', async ({ window }) => {
  const handle = window.page.getByRole('separator', { name: 'Width of the sidebar' })
  const width = async (): Promise<number> => Math.round((await window.workflows.boundingBox())?.width ?? 0)
  const before = await width()
  await handle.focus()
  await window.page.keyboard.press('ArrowRight')
  await expect.poll(width).toBeGreaterThan(before)
  const after = await width()
  await window.page.reload()
  await window.waitUntilReady()
  await expect.poll(width).toBe(after)
})

test('what failed is said', async ({ window, host }) => {
  host.handlers['run.dryRun'] = () => Promise.reject(new Error('the engine is away'))
  const editor = await window.openWorkflow('review-changes')
  await editor.dryRun()
  await expect(window.alerts).toContainText('No dry run of review-changes.js: Error: the engine is away')
  host.handlers['run.dryRun'] = () =>
    Promise.reject(new HostError({ code: 'BAD_REQUEST', message: 'Args are taken', violations: ['args lacks "base"'] }))
  await editor.dryRun()
  await expect(window.alerts.last()).toContainText(
    'No dry run of review-changes.js: Args are taken (args lacks "base")',
  )
  await window.alerts.getByRole('button', { name: 'Give args' }).click()
  await expect(window.page.getByRole('dialog', { name: 'Run review-changes.js' })).toBeVisible()
})

for (const colorScheme of ['dark', 'light'] as const) {
  test(`no view breaks an accessibility rule in the ${colorScheme} theme`, async ({ window }) => {
    // Each look at a view takes seconds.
    test.slow()
    const { page } = window
    await page.emulateMedia({ colorScheme })
    const check = (view: string): Promise<void> => checkAccessibility(page, view)
    await check('welcome')
    const editor = await window.openWorkflow('review-changes')
    await expect(window.problems.items).toHaveCount(1)
    await check('editor')
    await editor.run()
    await expect(window.runDialog.dialog).toContainText('≈')
    await check('run dialog')
    await page.keyboard.press('Escape')
    await editor.dryRun()
    await expect(window.run.plan).toBeVisible()
    await check('dry run')
    await window.openRun('review-changes', 'running')
    await window.run.openAgent('review src/db/pool.ts')
    await expect(window.run.agent).toContainText('The whole prompt.')
    await check('live run with agent')
  })
}
