import { readFile } from 'node:fs/promises'
import { checkAccessibility } from '../../support/renderer/check-accessibility.ts'
import { FINISHED_RUN, INTERRUPTED_RUN } from '../../support/renderer/sample-history.ts'
import { LIVE_RUN } from '../../support/renderer/sample-host.ts'
import { runRow } from '../../support/renderer/fake-host.ts'
import { expect, test } from '../../support/renderer/stubbed-window.ts'

test('a run is paused and continued, and says what that did', async ({ window, host }) => {
  const run = await window.openRun('review-changes', 'running')
  await run.pauseButton.click()
  await expect(window.notices).toContainText('Paused. 3 running agents will finish, 1 queued will wait.')
  const until = Date.now() + 125_000
  host.stream((story) => story.at(17_000, 'run-paused', { by: 'limit', reason: 'opencode: rate limit', until }))
  await expect(run.status).toHaveText('paused: opencode: rate limit')
  await expect(window.page.getByRole('tabpanel')).toContainText(/goes on at \d\d:\d\d:\d\d, in 2 m 0\d s/)
  await expect(run.row('refute: pool per request', 'queued')).toContainText('waiting until the run is continued')
  await expect(run.row('Report', 'queued')).toContainText('waiting for “Verify”')
  // By its shortcut, from wherever the focus is.
  await window.page.keyboard.press('Shift+F8')
  await expect(window.notices).toContainText('Continued')
  expect(host.callsOf('run.pause')).toHaveLength(1)
  expect(host.callsOf('run.continue')).toEqual([{ runId: LIVE_RUN }])
})

test('an agent is skipped, retried and stopped; what does not apply says why', async ({ window, host }) => {
  const run = await window.openRun('review-changes', 'running')
  await run.openAgent('refute: pool per request')
  await expect(run.agentButton('Retry')).toBeDisabled()
  await expect(run.agentButton('Retry')).toHaveAccessibleDescription(/has not begun yet/)
  await run.agentButton('Skip').click()
  await expect(window.notices).toContainText('Skipped “refute: pool per request”: the script gets null for it.')
  // From the keyboard: the menu of the row that the keys are on.
  await run.row('review src/db/pool.ts').click()
  await expect(run.agent).toContainText('last heard of')
  await run.tree.focus()
  await window.page.keyboard.press('Shift+F10')
  await window.page.getByRole('menuitem', { name: /^Retry/ }).press('Enter')
  await expect(window.notices).toContainText('“review src/db/pool.ts” starts again')
  await window.chooseCommand('Stop agent')
  await expect(window.notices).toContainText('Stopped “review src/db/pool.ts”')
  expect(host.callsOf('run.agent')).toEqual([
    { runId: LIVE_RUN, agent: 8, action: 'skip' },
    { runId: LIVE_RUN, agent: 6, action: 'retry' },
    { runId: LIVE_RUN, agent: 6, action: 'stop' },
  ])
})

test('a resume shows its plan first, follows its fields, and starts what was planned', async ({ window, host }) => {
  const run = await window.openRun('review-changes', 'interrupted')
  await run.resumeButton.click()
  const { dialog, plan, args, script, start } = window.resumeDialog
  await expect(plan).toContainText('1.5k')
  await expect(window.resumeDialog.call('review src/auth/session.ts')).toContainText('replayed')
  await args.fill('{"base":"dev"}')
  await expect(window.resumeDialog.call('review src/auth/session.ts')).toContainText('changed: prompt, model')
  await expect(plan).toContainText('− …correctness and security.')
  await script.selectOption({ label: 'review-changes.js as it is now' })
  await expect
    .poll(() => host.callsOf('run.resumePlan').at(-1))
    .toMatchObject({
      resumeFromRunId: INTERRUPTED_RUN,
      source: { kind: 'path' },
    })
  await start.click()
  await expect(dialog).toHaveCount(0)
  expect(host.callsOf('run.start')).toEqual([
    {
      resumeFromRunId: INTERRUPTED_RUN,
      args: { base: 'dev' },
      source: { kind: 'path', path: '/workspace/workflows/review-changes.js' },
    },
  ])
})

test('an interrupted run is offered when the window opens', async ({ window, host }) => {
  host.handlers['run.resumable'] = () => ({
    runs: [runRow({ runId: INTERRUPTED_RUN, workflow: 'review-changes', status: 'interrupted' })],
  })
  await window.page.reload()
  await window.notices.getByRole('button', { name: 'Resume' }).click()
  await expect(window.resumeDialog.plan).toBeVisible()
  await window.page.keyboard.press('Escape')
  await window.page.reload()
  await window.notices.getByRole('button', { name: 'Discard' }).click()
  const asked = host.callsOf('run.resumable').length
  await window.page.reload()
  await window.waitUntilReady()
  await expect.poll(() => host.callsOf('run.resumable').length).toBe(asked + 1)
  await expect(window.notices.getByRole('button', { name: 'Resume' })).toHaveCount(0)
})

test('the timeline and the tree share what is selected, by pointer and by keys', async ({ window }) => {
  const run = await window.openRun('review-changes', 'running')
  await run.bar('review src/auth/session.ts').click()
  await expect(run.row('review src/auth/session.ts')).toHaveAttribute('aria-selected', 'true')
  await expect(run.bar('review src/auth/token.ts')).toHaveAccessibleName(/failed, from 0\.2 s, for 11 s, 2 attempts/)
  await run.row('review src/db/pool.ts').click()
  await expect(run.bar('review src/db/pool.ts')).toHaveAttribute('aria-selected', 'true')
  const bars = run.timeline.getByRole('listbox', { name: 'Agents over time' })
  await bars.focus()
  await window.page.keyboard.press('Home')
  await window.page.keyboard.press('ArrowDown')
  await window.page.keyboard.press('Enter')
  await expect(run.row('list changed files')).toHaveAttribute('aria-selected', 'true')
  const width = async (): Promise<number> => (await bars.boundingBox())?.width ?? 0
  const before = await width()
  await window.page.keyboard.press('+')
  await expect.poll(width).toBeGreaterThan(1.5 * before)
  await expect.poll(() => run.collidingTimes()).toEqual([])
  await window.page.keyboard.press('0')
  await expect.poll(width).toBe(before)
  await window.page.setViewportSize({ width: 820, height: 720 })
  await expect.poll(width).toBeLessThan(before)
  await expect.poll(() => run.collidingTimes()).toEqual([])
})

test('the slider takes the tree to any moment of a finished run, and back', async ({ window }) => {
  const run = await window.openRun('review-changes', 'completed')
  await expect(run.row('review src/db/pool.ts', 'completed')).toBeVisible()
  await run.history.fill('300')
  await expect(run.row('review src/db/pool.ts', 'queued')).toBeVisible()
  await expect(run.row('review src/auth/session.ts', 'running')).toContainText('read: src/auth/session.ts')
  await expect(run.history).toHaveAttribute('aria-valuetext', '6.0 s of 20 s')
  await run.history.press('Home')
  await expect(run.row('review src/db/pool.ts')).toHaveCount(0)
  await run.history.press('End')
  await expect(run.row('review src/db/pool.ts', 'completed')).toBeVisible()
})

test('runs are found by a text in them, at the place where it stands', async ({ window }) => {
  await window.page.keyboard.press('ControlOrMeta+Shift+F')
  await expect(window.runSearch).toBeFocused()
  await window.page.keyboard.type('survives')
  await expect(window.runs.getByRole('heading', { level: 3 })).toHaveText(['Found in runs'])
  await window.page.keyboard.press('ArrowDown')
  await window.page.keyboard.press('Enter')
  await expect(window.run.agent).toContainText('review src/auth/session.ts')
  await expect(window.run.bar('review src/auth/session.ts')).toBeInViewport()
  await window.runs.getByRole('button', { name: /5 files changed: survives/ }).click()
  await window.runs.getByRole('button', { name: 'Reset search and filters' }).click()
  await window.runs.getByRole('button', { name: 'Filter runs' }).click()
  await window.runs.getByRole('combobox', { name: 'Status' }).selectOption('Interrupted')
  await expect(window.runEntry('big')).toHaveCount(0)
  await expect(window.runEntry('review-changes', 'interrupted')).toBeVisible()
})

test('two runs are compared from the menu of one', async ({ window }) => {
  const run = await window.openRun('review-changes', 'completed')
  await run.choose('Compare with another run')
  await window.page.getByRole('combobox', { name: 'Compare with which run' }).fill('review')
  await window.page.keyboard.press('Enter')
  await expect(window.comparison.getByRole('row', { name: /^Wall-clock/ })).toContainText('+30 %')
  await window.comparison.getByRole('button', { name: /review src\/auth\/session.ts/ }).click()
  await expect(window.comparison).toContainText('+ …correctness, security and style.')
  await window.comparison.getByRole('button', { name: 'Show in the first run' }).click()
  await expect(window.run.agent).toContainText('review src/auth/session.ts')
})

test('a run is exported, imported, pinned and deleted', async ({ window, host }) => {
  const run = await window.openRun('review-changes', 'completed')
  const downloading = window.page.waitForEvent('download')
  await run.choose('Export as JSON Lines')
  const download = await downloading
  expect(download.suggestedFilename()).toBe('review-changes.jsonl')
  expect(await readFile(await download.path(), 'utf8')).toBe('first line\nsecond line\n')
  const choosing = window.page.waitForEvent('filechooser')
  await window.runs.getByRole('button', { name: 'Import run' }).click()
  await (await choosing).setFiles({ name: 'mine.jsonl', mimeType: 'text/plain', buffer: Buffer.from('{}') })
  await expect(window.notices).toContainText('Imported mine.jsonl.')
  host.handlers['run.delete'] = ({ runIds }) => {
    host.push('run.deleted', { runIds: runIds as (typeof FINISHED_RUN)[] })
    return {}
  }
  await window.runEntry('review-changes', 'completed').press('Delete')
  const question = window.page.getByRole('alertdialog')
  await expect(question.getByRole('button', { name: 'Keep' })).toBeFocused()
  await question.getByRole('button', { name: 'Delete run' }).click()
  await expect(window.runEntry('review-changes', 'completed')).toHaveCount(0)
  expect(host.callsOf('run.delete')).toEqual([{ runIds: [FINISHED_RUN] }])
})

test('a result of 20 MB is read, searched and scrolled while the window stays awake', async ({ window }) => {
  // Made in the page: what is measured is the window, not the way that a test's host takes to it.
  await window.page.evaluate(() => {
    const items = Array.from({ length: 200_000 }, (_, n) => ({ id: n, text: `item ${n} ${'x'.repeat(65)}` }))
    const json = JSON.stringify({ items, last: 'needle in the hay' })
    // The bridge's stub is there, and may be changed.
    const bridge = (globalThis as unknown as { weft: unknown }).weft as {
      call: (name: string, params: unknown) => Promise<unknown>
    }
    const call = bridge.call
    bridge.call = (name, params) =>
      name === 'run.result' ? Promise.resolve({ ok: true, value: { settled: true, json } }) : call(name, params)
  })
  const run = await window.openRun('review-changes', 'completed')
  await expect(run.resultRows.first()).toBeVisible()
  await run.resultSearch.fill('needle')
  await expect(run.result).toContainText('1 of 1')
  await expect(run.resultRows.filter({ hasText: '"needle in the hay"' })).toBeVisible()
  await run.resultSearch.fill('')
  await run.result.getByRole('button', { name: 'Show result as text' }).click()
  await expect(run.result.getByRole('group', { name: 'Result as JSON' })).toContainText('"items": [')
})

for (const colorScheme of ['dark', 'light'] as const) {
  test(`no view of an operator breaks an accessibility rule in the ${colorScheme} theme`, async ({ window }) => {
    test.slow()
    const { page } = window
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const check = (view: string, within?: string): Promise<void> => checkAccessibility(page, view, within)
    const run = await window.openRun('review-changes', 'interrupted')
    await window.runs.getByRole('button', { name: 'Filter runs' }).click()
    await window.runSearch.fill('session')
    await expect(window.runs).toContainText('Found in runs')
    await expect(run.history).toBeVisible()
    await check('finished run, filters and hits')
    await run.resumeButton.click()
    await expect(window.resumeDialog.plan).toBeVisible()
    await check('resume plan')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'More about this run' }).click()
    await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible()
    // The library's own guards of the focus are around it.
    await check('menu of a run', '[role="menu"]')
    await page.getByRole('menuitem', { name: 'Compare with' }).click()
    await page.keyboard.press('Enter')
    await window.comparison.getByRole('button', { name: /review src\/auth\/session.ts/ }).click()
    await check('comparison')
  })
}
