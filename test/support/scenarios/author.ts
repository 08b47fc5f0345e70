// What an author does: finds workflows, opens one, is told of mistakes while typing, dry-runs.

import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { processesWith } from '../app/processes.ts'
import type { RunningApp } from '../app/running-app.ts'
import type { EditorPage } from '../pages/editor-page.ts'
import { WindowPage } from '../pages/window-page.ts'
import { addSample, SAMPLE_FILE } from './samples.ts'

export async function findsWorkflows({ page, home }: RunningApp): Promise<void> {
  const window = new WindowPage(page)
  await expect(window.workflow('review-diff')).toBeVisible()
  // A file that appears while the window is open is noticed, and a broken one hides none of the others.
  addSample(home)
  await expect(window.workflow('two-steps')).toBeVisible()
  home.addFile('workflows/broken.js', 'export const meta = {\n')
  await expect(window.workflow('broken')).toBeVisible()
  await expect(window.workflow('two-steps')).toBeVisible()
}

export async function opensAWorkflow({ page }: RunningApp): Promise<void> {
  const window = new WindowPage(page)
  const editor = await window.openWorkflow('two-steps')
  await expect(window.tab(SAMPLE_FILE)).toHaveAttribute('aria-selected', 'true')
  await expect(editor.lines).toContainText('Asks two agents at once')
  await expect(window.problems.region).toContainText('No problems')
}

export async function isToldOfAMistake({ page, home }: RunningApp): Promise<void> {
  const window = new WindowPage(page)
  const editor = await window.openWorkflow('two-steps')
  await retypeLine(editor, 3, 'description: 7,')
  await expect(window.problems.item(/\b3:\d+\b/)).toContainText('description')
  await expect(editor.squiggles.first()).toBeAttached()
  await retypeLine(editor, 3, 'description: `Asks again.`,')
  await expect(window.problems.region).toContainText('No problems')
  await editor.save()
  const file = `${home.workspace}/workflows/${SAMPLE_FILE}`
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('  description: `Asks again.`,')
}

export async function dryRuns({ page, home }: RunningApp): Promise<void> {
  const window = new WindowPage(page)
  const editor = await window.openWorkflow('two-steps')
  const before = processesWith(home.mark).map(({ pid }) => pid)
  await editor.dryRun()
  await expect(window.run.status).toContainText('completed, 3 agents')
  for (const title of ['Ask', 'look left', 'look right', 'Sum up', 'sum up']) {
    await expect(window.run.row(title, 'completed')).toBeVisible()
  }
  await expect(window.runs).toContainText('No runs yet')
  // Chromium may start and end helpers of its own meanwhile: what counts is that nothing else did.
  const fresh = processesWith(home.mark).filter(({ pid }) => !before.includes(pid))
  expect(fresh.filter(({ command }) => !/--type=/.test(command))).toEqual([])
}

/** Replaces a line (from 1) by typing, key by key. */
async function retypeLine(editor: EditorPage, line: number, text: string): Promise<void> {
  const { keyboard } = editor.page
  await editor.focus()
  await keyboard.press('ControlOrMeta+Home')
  for (let at = 1; at < line; at++) await keyboard.press('ArrowDown')
  await keyboard.press('Home')
  await keyboard.press('Shift+End')
  await keyboard.type(text)
}
