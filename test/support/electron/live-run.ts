// A window with a run that stays live until the test lets its agents answer.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import type { Home } from '../app/home.ts'
import { processesWith } from '../app/processes.ts'
import { WindowPage } from '../pages/window-page.ts'
import { startRun } from '../scenarios/operator.ts'
import { addSample, useAgent } from '../scenarios/samples.ts'
import type { DesktopApp } from './launch-desktop.ts'

/** `openGate` lets the agents answer. */
export async function withLiveRun(home: Home, launchInWindow: () => Promise<DesktopApp>) {
  addSample(home)
  const gate = join(home.workspace, 'gate')
  useAgent(home, 'gate-agent.mjs', { WEFT_TEST_GATE: gate })
  const app = await launchInWindow()
  const window = new WindowPage(app.page)
  await startRun(window, 'two-steps')
  await expect(window.run.row('look right', 'running')).toContainText('waiting with')
  return { app, window, openGate: () => writeFileSync(gate, '') }
}

export const agentsOf = (home: Home) => processesWith(home.mark).filter(({ command }) => command.includes('gate-agent'))
