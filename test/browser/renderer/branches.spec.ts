import type { AgentBranch, BranchDiff } from '../../../src/shared/index.ts'
import { LIVE_RUN, type SampleHost } from '../../support/renderer/sample-host.ts'
import { expect, test } from '../../support/renderer/stubbed-window.ts'

const NAME = `weft/${LIVE_RUN}/4`
const PATCH = 'diff --git a/ä.txt b/ä.txt\n--- a/ä.txt\n+++ b/ä.txt\n@@ -1 +1 @@\n-old\n+<b>new</b>\n'

/** An agent of the live run has ended with changes on a branch, which is all there is in the repository. */
function leaveBranch(host: SampleHost): AgentBranch[] {
  const branches: AgentBranch[] = [
    {
      name: NAME,
      runId: LIVE_RUN,
      agent: 4,
      subject: 'review src/http/router.ts',
      commit: 'c'.repeat(40),
      base: 'b'.repeat(40),
      committedAt: 0,
      merged: false,
      folder: null,
    },
  ]
  Object.assign(host.handlers, {
    'branches.list': () => ({ top: '/workspace', current: 'main', branches, total: branches.length, left: [] }),
    'branches.diff': (): BranchDiff => ({
      branch: NAME,
      base: 'b'.repeat(40),
      commit: 'c'.repeat(40),
      files: [{ path: 'ä.txt', status: 'modified', added: 1, removed: 1 }],
      patch: PATCH,
      cut: false,
    }),
    'branches.merge': () => ({ branch: NAME, outcome: 'conflicts', into: 'main', head: '', conflicts: ['ä.txt'] }),
    'branches.drop': () => {
      branches.length = 0
      return { branch: NAME, commit: 'c'.repeat(40), merged: false }
    },
  } satisfies SampleHost['handlers'])
  host.stream((story) => story.end(17_000, 4, 'completed', { branch: NAME }))
  return branches
}

test("an agent's branch is shown as a patch, its conflict is said, and it is dropped once that is confirmed", async ({
  window,
  host,
}) => {
  const run = await window.openRun('review-changes', 'running')
  await expect(window.page.getByRole('button', { name: 'Branches', exact: true })).toHaveCount(0)
  leaveBranch(host)
  await run.row('review src/http/router.ts', 'completed').click()
  await run.agent.getByRole('button', { name: `Changes on ${NAME}` }).click()
  const dialog = window.page.getByRole('dialog', { name: 'Branches' })
  await expect(dialog.getByRole('group', { name: `Patch of ${NAME}` })).toContainText('+<b>new</b>')
  await expect(dialog.getByRole('region', { name: `Changes of ${NAME}` })).toContainText(
    '1 file changed since bbbbbbbbbb',
  )
  await dialog.getByRole('button', { name: 'Diff' }).click()
  await expect(dialog.getByRole('group', { name: `Patch of ${NAME}` })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Merge' }).click()
  await expect(window.page.getByText(`${NAME} was not merged: 1 file changed on both sides: ä.txt.`)).toBeVisible()

  await dialog.getByRole('button', { name: 'Drop' }).click()
  await expect(dialog).toContainText('It is not merged: its changes would be lost.')
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await dialog.getByRole('button', { name: 'Drop' }).click()
  await dialog.getByRole('button', { name: 'Drop branch' }).click()
  await expect(dialog).toContainText('None is left')
  const drops = host.calls.filter(({ name }) => name === 'branches.drop')
  expect(drops.map(({ params }) => params)).toEqual([{ workspace: '/workspace', branch: NAME, unmerged: true }])
})

test("a run's branches are listed from its head", async ({ window, host }) => {
  await window.openRun('review-changes', 'running')
  leaveBranch(host)
  await window.page.getByRole('button', { name: 'Branches', exact: true }).click()
  const list = window.page.getByRole('list', { name: 'Branches of this run' })
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(list).toContainText('review src/http/router.ts · not merged')
})
