// What an operator does: watches a run with real agent processes, cancels one, finds it again, reads what agents wrote.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import type { Home } from '../app/home.ts'
import { processesWith } from '../app/processes.ts'
import type { RunningApp } from '../app/running-app.ts'
import { WindowPage } from '../pages/window-page.ts'
import { addSample, useAgent } from './samples.ts'

type Launch = () => Promise<RunningApp>

/** Runs a workflow of the sidebar with the default back end. */
export async function startRun(window: WindowPage, name: string): Promise<void> {
  const editor = await window.openWorkflow(name)
  await editor.run()
  await window.runDialog.fillAndStart()
  await expect(window.runDialog.dialog).toBeHidden()
}

/** Agents that wait until the answered function is called. */
function useGatedAgents(home: Home): () => void {
  const gate = join(home.workspace, 'gate')
  useAgent(home, 'gate-agent.mjs', { WEFT_TEST_GATE: gate })
  return () => writeFileSync(gate, '')
}

export async function watchesARunAndFindsItAgain(home: Home, launch: Launch): Promise<void> {
  addSample(home)
  const openGate = useGatedAgents(home)
  const { page, close } = await launch()
  const window = new WindowPage(page)
  await startRun(window, 'two-steps')
  await expect(window.run.row('Ask', 'running')).toBeVisible()
  await expect(window.run.row('look left', 'running')).toContainText('waiting with look left')
  await expect(window.run.row('look right', 'running')).toBeVisible()
  await expect(window.runEntry('two-steps', 'running')).toBeVisible()

  openGate()
  await expect(window.run.status).toContainText('completed, 3 agents')
  // What has completed cleanly folds.
  await expect(window.run.row('Sum up', 'completed')).toBeVisible()
  await expect(window.run.row('look left', 'completed')).toBeHidden()
  await expect(window.run.result).toContainText('SUM UP.')
  expect(processesWith(home.mark).filter(({ command }) => command.includes('gate-agent'))).toEqual([])
  await close()

  const again = new WindowPage((await launch()).page)
  await again.openRun('two-steps', 'completed')
  await expect(again.run.status).toContainText('completed, 3 agents')
  await expect(again.run.result).toContainText('LOOK LEFT.')
}

export async function cancelsARun(home: Home, launch: Launch): Promise<void> {
  addSample(home)
  useAgent(home, 'grandchildren-agent.mjs')
  const { page } = await launch()
  const window = new WindowPage(page)
  // The agents, and what each of them started to outlive it.
  const agents = (): number =>
    processesWith(home.mark).filter(({ command }) => /grandchildren|600_000|sleep 600/.test(command)).length
  await startRun(window, 'two-steps')
  await expect(window.run.row('look right', 'running')).toBeVisible()
  await expect.poll(agents).toBe(10)

  await window.run.cancel()
  await expect(window.run.status).toContainText('cancelled')
  await expect(window.run.row('look left', 'cancelled')).toBeVisible()
  expect(agents()).toBe(0)
}
