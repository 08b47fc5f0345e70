// The views of whoever runs workflows, of real runs: one that is steered and cancelled, its resumption, and a third one.

import { rmSync, writeFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import type { WindowPage } from '../../test/support/pages/window-page.ts'
import type { TakePicture } from './camera.ts'

const LONG = { timeout: 240_000 }

/** While the file `hold` exists agents keep their answers to themselves. */
export async function pictureRuns(window: WindowPage, picture: TakePicture, hold: string): Promise<void> {
  const { page, run } = window
  await window.tab('review-diff.js').click()
  await window.editor.run()
  await window.runDialog.dialog.getByLabel('Base').fill('HEAD~1')
  await picture('run-dialog')
  await window.runDialog.start.click()

  await expect(run.row('Verify', 'running')).toBeVisible(LONG)
  writeFileSync(hold, '')
  const working = run.tree.getByRole('treeitem', { level: 2, name: /running/ })
  await expect(working).toHaveCount(3, LONG)
  await working.last().click()
  await expect(run.agent).toBeVisible()
  await picture('live-run')
  await run.pauseButton.click()
  await expect(run.status).toContainText('paused')
  await picture('paused')
  await run.cancel()
  await expect(run.status).toContainText('cancelled', LONG)
  rmSync(hold)

  await run.resumeButton.click()
  await expect(window.resumeDialog.calls.first()).toBeVisible()
  await picture('resume-plan')
  await window.resumeDialog.start.click()
  await expect(run.status).toContainText('completed', LONG)
  await picture('finished-run')
  await run.history.fill('550')
  await picture('history')
  await run.history.press('End')

  await pictureComparison(window, picture)
  await window.runSearch.fill('eval')
  await window.runs
    .getByRole('button', { name: /answer.*eval runs/ })
    .first()
    .click()
  await expect(run.agent).toBeVisible()
  await picture('search')
  await page.keyboard.press('Escape')
  await window.runs.getByRole('button', { name: 'Reset search and filters' }).click()
}

async function pictureComparison(
  { page, run, resumeDialog, comparison }: WindowPage,
  picture: TakePicture,
): Promise<void> {
  await run.choose('Resume…')
  await resumeDialog.args.fill('{"base":"HEAD~1","votes":3}')
  await expect(resumeDialog.plan).toContainText('changed', LONG)
  await resumeDialog.start.click()
  await expect(run.status).toContainText('completed', LONG)
  await run.choose('Compare with another run')
  await page.keyboard.press('Enter')
  await expect(comparison.getByRole('row', { name: /^Wall-clock/ })).toBeVisible()
  await picture('compare')
}

export async function picturePermission(window: WindowPage, picture: TakePicture): Promise<void> {
  await window.openWorkflow('tidy-up')
  await window.editor.run()
  await window.runDialog.fillAndStart({ backend: 'simulated' })
  await expect(window.run.row('Remove')).toBeVisible(LONG)
  await window.run.openLevel('Remove')
  await window.run.row('remove leftovers').click()
  const question = window.page.getByRole('group', { name: 'Permission request' })
  await expect(question).toBeVisible(LONG)
  await picture('permission')
  await question.getByRole('button', { name: 'Allow once' }).click()
  await expect(window.run.status).toContainText('completed', LONG)
}
