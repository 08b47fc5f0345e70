// What an author does: finds workflows, opens one, is told of mistakes while typing, dry-runs.

import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import type { RunningApp } from '../app/running-app.ts'
import { processesWith } from '../app/processes.ts'
import { addSample, SAMPLE_FILE } from './samples.ts'
import * as window from './window.ts'

export async function findsWorkflows({ page, home }: RunningApp): Promise<void> {
  await expect(window.workflows(page).getByRole('button', { name: 'review-diff' })).toBeVisible()
  // A file that appears while the window is open is noticed, and a broken one hides none of the others.
  addSample(home)
  await expect(window.workflows(page).getByRole('button', { name: 'two-steps' })).toBeVisible()
  home.addFile('workflows/broken.js', 'export const meta = {\n')
  await expect(
    window
      .workflows(page)
      .getByText(/broken/)
      .first(),
  ).toBeVisible()
  await expect(window.workflows(page).getByRole('button', { name: 'two-steps' })).toBeVisible()
}

export async function opensAWorkflow({ page }: RunningApp): Promise<void> {
  await window.openWorkflow(page, 'two-steps')
  await expect(page.getByRole('tab', { name: SAMPLE_FILE })).toHaveAttribute('aria-selected', 'true')
  await window.expectEditorText(page, 'Asks two agents at once')
  await expect(window.problems(page)).toContainText('No problems')
}

export async function isToldOfAMistake({ page, home }: RunningApp): Promise<void> {
  await window.openWorkflow(page, 'two-steps')
  await window.retypeLine(page, 3, 'description: 7,')
  const problem = window
    .problems(page)
    .getByRole('listitem')
    .filter({ hasText: /\b3:\d+\b/ })
  await expect(problem).toContainText('description')
  await expect(page.locator('.monaco-editor .squiggly-error').first()).toBeVisible()
  await window.retypeLine(page, 3, 'description: `Asks again.`,')
  await expect(window.problems(page)).toContainText('No problems')
  await page.keyboard.press('ControlOrMeta+S')
  const file = `${home.workspace}/workflows/${SAMPLE_FILE}`
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('  description: `Asks again.`,')
}

export async function dryRuns({ page, home }: RunningApp): Promise<void> {
  await window.openWorkflow(page, 'two-steps')
  const before = processesWith(home.mark).length
  await page.getByRole('button', { name: 'Dry run', exact: true }).click()
  await expect(window.verdict(page)).toContainText('completed, 3 agents')
  for (const title of ['Ask', 'look left', 'look right', 'Sum up', 'sum up']) {
    await expect(window.row(page, title, 'completed')).toBeVisible()
  }
  await expect(window.runs(page)).toContainText('No runs yet')
  expect(processesWith(home.mark).length).toBeLessThanOrEqual(before)
}
