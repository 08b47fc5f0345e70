import { asAgentNumber } from '../../../src/shared/index.ts'
import { LIVE_RUN } from '../../support/renderer/sample-host.ts'
import { expect, test } from '../../support/renderer/stubbed-window.ts'

test('a live run shows phases, agents and nested workflows with their status', async ({ window }) => {
  const run = await window.openRun('review-changes', 'running')
  await expect(run.status).toHaveText('running')
  await expect(run.row('Review', 'running')).toHaveAttribute('aria-expanded', 'true')
  await expect(run.row('review src/auth/token.ts', 'failed')).toHaveAttribute('aria-level', '2')
  await expect(run.row('adversarial-verify', 'running')).toHaveAttribute('aria-level', '2')
  await expect(run.row('refute: pool per request', 'queued')).toHaveAttribute('aria-level', '4')
  await expect(run.row('Report', 'queued')).toContainText('waiting for “Verify”')
  await expect(run.logLines).toContainText(['5 files changed', 'review-changes.js:27:14 review src/auth/token.ts', ''])
})

test('what happens is shown as it comes', async ({ window, host }) => {
  const run = await window.openRun('review-changes', 'running')
  await expect(run.row('review src/http/router.ts', 'running')).toBeVisible()
  host.stream((story) => story.end(17_000, 4, 'completed', { resultPreview: 'all fine' }))
  await expect(run.row('review src/http/router.ts', 'completed')).toContainText('all fine')
})

test('a level that is cleanly done folds while the run goes on, unless the user opened it', async ({
  window,
  host,
}) => {
  const run = await window.openRun('review-changes', 'running')
  await expect(run.row('Refute', 'running')).toHaveAttribute('aria-expanded', 'true')
  await expect(run.row('Discover', 'replayed')).toHaveAttribute('aria-expanded', 'false')
  await run.openLevel('Discover')
  host.stream((story) => {
    story.end(17_000, 7, 'completed')
    story.start(17_000, 8).end(18_000, 8, 'completed')
    story.at(18_100, 'workflow-ended', { group: 1, outcome: 'completed' })
  })
  await expect(run.row('adversarial-verify', 'completed')).toHaveAttribute('aria-expanded', 'false')
  await expect(run.row('Discover', 'replayed')).toHaveAttribute('aria-expanded', 'true')
})

test('the tree is walked by keys alone', async ({ window }) => {
  const run = await window.openRun('review-changes', 'running')
  const { keyboard } = window.page
  const active = async (): Promise<string> => {
    const id = await run.tree.getAttribute('aria-activedescendant')
    return (await window.page.locator(`[id="${id}"]`).textContent()) ?? ''
  }
  await run.tree.focus()
  await keyboard.press('End')
  expect(await active()).toMatch(/^Report/)
  await keyboard.press('Home')
  await keyboard.press('ArrowRight')
  await keyboard.press('ArrowRight')
  expect(await active()).toMatch(/^list changed files/)
  await keyboard.press('Enter')
  await expect(run.agent).toContainText('list changed files')
  await keyboard.press('ArrowLeft')
  await keyboard.press('v')
  expect(await active()).toMatch(/^Verify/)
  await keyboard.press('Escape')
  await expect(run.agent).toHaveCount(0)
})

test('an agent shows its prompt and what it is doing', async ({ window, host }) => {
  const run = await window.openRun('review-changes', 'running')
  await run.openAgent('review src/db/pool.ts')
  await expect(run.agent).toContainText('The whole prompt.')
  await expect(run.agent).toContainText('exhausts connections under load')
  host.stream((story) => story.progress(17_000, 6, { kind: 'text', text: ' <b>now</b>' }))
  await expect(run.agent).toContainText('Checking who calls it <b>now</b>')
})

test('cancelling asks once and says what stops', async ({ window, host }) => {
  const run = await window.openRun('review-changes', 'running')
  await run.cancelButton.click()
  const question = window.page.getByRole('alertdialog')
  await expect(question).toContainText('3 running agents will be stopped, 1 queued will not start')
  await question.getByRole('button', { name: 'Keep running' }).click()
  expect(host.callsOf('run.cancel')).toEqual([])
  await run.cancel()
  await expect.poll(() => host.callsOf('run.cancel')).toMatchObject([{ runId: LIVE_RUN }])
})

test('a run of a thousand agents draws only the rows in view and reaches the last one by a key', async ({ window }) => {
  const run = await window.openRun('big')
  await expect(run.status).toHaveText('completed with failures: 10 failed of 1,000 agents')
  await run.tree.focus()
  await window.page.keyboard.press('*')
  await window.page.keyboard.press('End')
  await expect(run.row('agent 100 of Phase 10', 'failed')).toBeVisible()
  expect(await run.tree.getByRole('treeitem').count()).toBeLessThan(80)
})

test('a dry run is marked as one, with its plan', async ({ window }) => {
  const editor = await window.openWorkflow('review-changes')
  await editor.dryRun()
  await expect(window.tab('Dry run: review-changes')).toHaveAttribute('aria-selected', 'true')
  await expect(window.run.status).toHaveText('completed, 1 agent')
  await expect(window.run.plan).toContainText('Never reached')
  await expect(window.run.result).toContainText('"done": true')
  await window.run.plan.getByRole('button', { name: 'bug-hunt.js:2:1' }).click()
  await expect(window.tab('bug-hunt.js')).toHaveAttribute('aria-selected', 'true')
})

test('a run starts with args, back end and budget, the estimate in view', async ({ window, host }) => {
  const editor = await window.openWorkflow('review-changes')
  await editor.run()
  const { runDialog } = window
  await expect(runDialog.dialog).toContainText('≈ 4 m 12 s')
  await runDialog.args.fill('{"files":')
  await expect(runDialog.dialog).toContainText('Not JSON')
  await expect(runDialog.start).toBeDisabled()
  await runDialog.fillAndStart({ args: '{"files":[]}', backend: 'simulated', budget: 5000 })
  await expect(runDialog.dialog).toHaveCount(0)
  expect(host.callsOf('run.start')).toMatchObject([{ args: { files: [] }, backend: 'simulated', budgetTokens: 5000 }])
  await expect(window.run.tree).toBeVisible()
})

test('what an agent asks leave for is answered where the agent is shown', async ({ window, host }) => {
  const run = await window.openRun('review-changes', 'running')
  await expect(run.row('review src/http/router.ts', 'running')).toBeVisible()
  host.stream((story) =>
    story.at(17_000, 'permission-asked', {
      agent: asAgentNumber(4),
      request: 'q1',
      title: 'Run npm test',
      detail: '<b>npm</b> test',
      options: ['allow-once', 'allow-run', 'reject'],
    }),
  )
  await expect(run.row('review src/http/router.ts', 'running')).toContainText('asks: Run npm test')
  await run.openAgent('review src/http/router.ts')
  const question = run.agent.getByRole('group', { name: 'Permission request' })
  await expect(question).toContainText('<b>npm</b> test')
  await expect(question.getByRole('button')).toHaveText(['Allow once', 'Allow for this run', 'Reject'])
  await question.getByRole('button', { name: 'Allow for this run' }).click()
  await expect(question.getByRole('button', { name: 'Reject' })).toBeDisabled()
  expect(host.callsOf('run.answerPermission')).toEqual([
    { runId: LIVE_RUN, agent: 4, request: 'q1', answer: 'allow-run' },
  ])
  host.stream((story) =>
    story.at(17_100, 'permission-answered', {
      agent: asAgentNumber(4),
      request: 'q1',
      answer: 'allow-run',
      by: 'user',
    }),
  )
  await expect(question).toHaveCount(0)
})
