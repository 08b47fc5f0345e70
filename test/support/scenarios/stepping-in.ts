// What an operator does when a run does not go as it should: pauses, skips, retries, resumes with a plan, compares, keeps.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import type { DesktopApp } from '../electron/launch-desktop.ts'
import type { Home } from '../app/home.ts'
import type { RunningApp } from '../app/running-app.ts'
import { WindowPage } from '../pages/window-page.ts'
import { startRun } from './operator.ts'
import { addSample, SAMPLE, SAMPLE_FILE, useAgent } from './samples.ts'

type Launch = () => Promise<RunningApp>

export async function stepsIntoARunAndResumesIt(home: Home, launch: Launch): Promise<void> {
  addSample(home)
  const gate = join(home.workspace, 'gate')
  useAgent(home, 'gate-agent.mjs', { WEFT_TEST_GATE: gate })
  const app = await launch()
  const window = new WindowPage(app.page)
  const { run } = window
  await startRun(window, 'two-steps')
  await expect(run.row('look right', 'running')).toBeVisible()

  await run.pauseButton.click()
  await expect(run.status).toContainText('paused')
  await run.continueButton.click()
  await expect(run.status).toHaveText('running')

  await run.openAgent('look left')
  await run.agentButton('Skip').click()
  await expect(run.row('look left', 'skipped')).toBeVisible()
  await run.openAgent('look right')
  await run.agentButton('Retry').click()
  await expect(run.agent).toContainText('attempt 2')
  writeFileSync(gate, '')
  await expect(run.status).toContainText('completed, 3 agents')
  await expect(run.bar('look right')).toHaveAccessibleName(/completed, .*2 attempts/)

  // The tree as it was in the beginning, and as it ended.
  await run.history.press('Home')
  await expect(run.row('sum up')).toHaveCount(0)
  await run.history.press('End')
  await expect(run.row('Sum up', 'completed')).toBeVisible()

  home.addFile(`workflows/${SAMPLE_FILE}`, SAMPLE.replace("agent('Sum up.'", "agent('Sum up in a word.'"))
  await run.choose('Resume…')
  const { resumeDialog } = window
  await resumeDialog.script.selectOption('file')
  await expect(resumeDialog.call('look right')).toContainText('replayed')
  await expect(resumeDialog.call('look left')).toContainText('it was skipped before')
  await expect(resumeDialog.call('sum up')).toContainText(/runs|depends/)
  await resumeDialog.start.click()
  await expect(resumeDialog.dialog).toHaveCount(0)
  await expect(run.status).toContainText('completed, 3 agents')
  await expect(run.result).toContainText('SUM UP IN A WORD.')

  await run.choose('Compare with another run')
  await app.page.keyboard.press('Enter')
  await expect(window.comparison).toContainText('The script is another version.')
  await expect(window.comparison.getByRole('button', { name: /^sum up/ })).toContainText('changed')
  await app.close()

  const again = new WindowPage((await launch()).page)
  await again.runSearch.fill('word')
  await again.runs.getByRole('button', { name: /prompt.*Sum up in a word/ }).click()
  await expect(again.run.agent).toContainText('Sum up in a word.')
}

export async function exportsAndImportsARun(home: Home, launch: Launch): Promise<void> {
  addSample(home)
  useAgent(home, 'echo-agent.mjs')
  const app = await launch()
  const window = new WindowPage(app.page)
  await startRun(window, 'two-steps')
  await expect(window.run.status).toContainText('completed, 3 agents')

  const exported = join(home.workspace, 'exported.jsonl')
  await saveTo(app, exported, () => window.run.choose('Export as JSON Lines'))
  const report = join(home.workspace, 'report.html')
  await saveTo(app, report, () => window.run.choose('Export as HTML report'))
  expect(readFileSync(report, 'utf8')).toContain('look left')

  await window.run.choose('Delete…')
  await app.page.getByRole('alertdialog').getByRole('button', { name: 'Delete run' }).click()
  await expect(window.runs).toContainText('No runs yet')

  const choosing = app.page.waitForEvent('filechooser')
  await window.runs.getByRole('button', { name: 'Import run' }).click()
  await (await choosing).setFiles(exported)
  await expect(window.run.status).toContainText('completed, 3 agents')
  await expect(window.runEntry('two-steps', 'completed')).toBeVisible()
}

/** Does what downloads a file, and waits until it is at `path`. */
export async function saveTo(app: RunningApp, path: string, download: () => Promise<void>): Promise<void> {
  if (app.kind === 'desktop') {
    // By its kind.
    await (app as DesktopApp).electron.evaluate(({ session }, target) => {
      session.defaultSession.once('will-download', (_event, item) => item.setSavePath(target))
    }, path)
    await download()
  } else {
    const downloading = app.page.waitForEvent('download')
    await download()
    await (await downloading).saveAs(path)
  }
  await expect.poll(() => sizeOf(path)).toBeGreaterThan(100)
}

function sizeOf(path: string): number {
  try {
    return readFileSync(path).length
  } catch {
    return 0
  }
}
