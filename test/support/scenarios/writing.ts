// From nothing to a run: a workflow is made, its mistake found and mended, dry-run, run with agent processes. And what was
// typed but not saved outlives the death of everything.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import type { Home } from '../app/home.ts'
import { processesWith } from '../app/processes.ts'
import { takeProblems, type RunningApp } from '../app/running-app.ts'
import { WindowPage } from '../pages/window-page.ts'
import { addSample, useAgent } from './samples.ts'

type Launch = () => Promise<RunningApp>

// `const` instead of `export const`: the check has a fix for it.
const WITH_MISTAKES = `const meta = {
  name: 'from-nothing',
  description: 7,
  phases: [{ title: 'Work' }],
}

phase('Work')
return await agent('Say it.', { label: 'say it' })
`

export async function writesAWorkflow(home: Home, launch: Launch): Promise<void> {
  useAgent(home, 'echo-agent.mjs')
  const { page } = await launch()
  const window = new WindowPage(page)
  const editor = await window.newWorkflow('from-nothing')
  await expect(window.problems.region).toContainText('No problems')
  await editor.replaceText(WITH_MISTAKES)
  await window.problems.fix(/\b1:1\b/, 'Export meta')
  await expect(window.problems.item(/\b3:16\b/)).toContainText('description')
  await window.problems.open(/\b3:16\b/)
  await page.keyboard.press('Delete')
  await page.keyboard.type("'Says it.'")
  await expect(window.problems.region).toContainText('No problems')
  await editor.save()
  const file = `${home.workspace}/workflows/from-nothing.js`
  await expect.poll(() => readFileSync(file, 'utf8')).toContain("export const meta = {\n  name: 'from-nothing'")

  await editor.dryRun()
  await expect(window.run.status).toContainText('completed, 1 agent')
  await expect(window.run.plan).toContainText('Work')
  await window.tab('from-nothing.js').click()
  await editor.run()
  await window.runDialog.fillAndStart({ backend: 'tested' })
  await expect(window.run.status).toContainText('completed, 1 agent')
  await expect(window.run.row('Work', 'completed')).toBeVisible()
  await expect(window.run.result).toContainText('Say it.')
}

export async function keepsUnsavedText(home: Home, launch: Launch): Promise<void> {
  addSample(home)
  const app = await launch()
  const window = new WindowPage(app.page)
  const editor = await window.openWorkflow('two-steps')
  await editor.typeAtEnd('// not saved')
  await expect.poll(() => draftsOf(home)).toContain('// not saved')
  for (const { pid } of processesWith(home.mark)) kill(pid)
  await expect.poll(() => processesWith(home.mark)).toEqual([])
  await app.close()
  // A page whose host is killed has something to complain about.
  takeProblems(app.page)

  const again = new WindowPage((await launch()).page)
  await again.tab('two-steps.js').click()
  await again.editor.waitUntilReady()
  await expect(again.editor.dirtyMark('two-steps.js')).toBeVisible()
  await again.editor.focus()
  await again.page.keyboard.press('ControlOrMeta+End')
  await expect(again.editor.lines).toContainText('// not saved')
}

/** All that the host keeps of unsaved text. */
function draftsOf({ dataDir }: Home): string {
  const folder = join(dataDir, 'drafts')
  if (!existsSync(folder)) return ''
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It went with its parent.
  }
}
