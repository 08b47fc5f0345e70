// What an author and an operator do, with keys alone: nothing here clicks or takes hold of an element to focus it.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type { Home } from '../app/home.ts'
import type { RunningApp } from '../app/running-app.ts'
import { WindowPage } from '../pages/window-page.ts'
import { addSample, SAMPLE_FILE, useAgent } from './samples.ts'

type Launch = () => Promise<RunningApp>

/** A command by its words in the palette. */
async function command(page: Page, title: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+Shift+P')
  await expect(page.getByRole('combobox', { name: /command/i })).toBeFocused()
  await page.keyboard.type(title)
  await page.keyboard.press('Enter')
}

/** Goes through the parts of the window until one that `isThere` has the focus. */
async function goToPart(page: Page, selector: string): Promise<void> {
  const isThere = (): Promise<boolean> =>
    page.evaluate((wanted) => document.activeElement?.closest(wanted) != null, selector)
  for (let part = 0; part < 12 && !(await isThere()); part++) await page.keyboard.press('F6')
  expect(await isThere(), `F6 leads to ${selector}`).toBe(true)
}

/** Tab, until an element of that name has the focus. */
async function tabTo(page: Page, role: 'button' | 'textbox' | 'combobox', name: string): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: true }).and(page.locator(':focus'))
  for (let step = 0; step < 25 && (await wanted.count()) === 0; step++) await page.keyboard.press('Tab')
  await expect(wanted, `Tab leads to ${name}`).toHaveCount(1)
}

export async function writesByKeyboard(home: Home, launch: Launch): Promise<void> {
  addSample(home)
  useAgent(home, 'echo-agent.mjs')
  const { page } = await launch()
  const window = new WindowPage(page)
  const { keyboard } = page
  await expect(window.workflow('two-steps')).toBeVisible()
  await window.quickOpen('two-steps')
  await window.editor.waitUntilReady()
  await expect(window.problems.region).toContainText('No problems')
  await keyboard.press('ControlOrMeta+Home')
  for (let sign = 0; sign < 'export '.length; sign++) await keyboard.press('Delete')
  await expect(window.problems.item(/\b1:1\b/)).toContainText('meta')

  // The cursor stands at the end of the line that is wrong.
  await keyboard.press('End')
  await keyboard.press('ControlOrMeta+.')
  await expect(page.locator('.action-widget').first()).toContainText('Export meta')
  await keyboard.press('Enter')
  await expect(window.problems.region).toContainText('No problems')
  await keyboard.press('ControlOrMeta+End')
  await keyboard.type('// by keys')
  await keyboard.press('ControlOrMeta+S')
  const file = join(home.workspace, 'workflows', SAMPLE_FILE)
  await expect.poll(() => readFileSync(file, 'utf8')).toMatch(/^export const meta[^]*\/\/ by keys/)

  await keyboard.press('ControlOrMeta+Enter')
  await expect(window.run.status).toContainText('completed, 3 agents')
  await goToPart(page, '[role="tree"]')
  await keyboard.press('Home')
  await keyboard.press('ArrowRight')
  await keyboard.type('look r')
  await keyboard.press('Enter')
  await expect(window.run.agent).toContainText('Look right.')
  await keyboard.press('Escape')
  await expect(window.run.plan).toBeVisible()

  await keyboard.press('Control+PageUp')
  await expect(window.tab(SAMPLE_FILE)).toHaveAttribute('aria-selected', 'true')
  await keyboard.press('ControlOrMeta+Shift+Enter')
  await expect(window.runDialog.args).toBeFocused()
  await keyboard.type('{"by": "keys"}')
  await tabTo(page, 'button', 'Run')
  await keyboard.press('Enter')
  await expect(window.run.status).toContainText('completed, 3 agents')
  await expect(window.run.result).toContainText('Sum up.')
}

export async function operatesByKeyboard(home: Home, launch: Launch): Promise<void> {
  addSample(home)
  const gate = join(home.workspace, 'gate')
  useAgent(home, 'gate-agent.mjs', { WEFT_TEST_GATE: gate })
  const { page } = await launch()
  const window = new WindowPage(page)
  const { run } = window
  const { keyboard } = page
  await expect(window.workflow('two-steps')).toBeVisible()
  await command(page, 'Go to Workflows')
  await expect(window.workflows.getByRole('button').and(page.locator(':focus'))).toHaveCount(1)
  await window.quickOpen('two-steps')
  await window.editor.waitUntilReady()
  await keyboard.press('ControlOrMeta+Shift+Enter')
  await expect(window.runDialog.args).toBeFocused()
  await tabTo(page, 'button', 'Run')
  await keyboard.press('Enter')
  await expect(run.row('look right', 'running')).toBeVisible()

  await keyboard.press('F8')
  await expect(run.status).toContainText('paused')
  await keyboard.press('Shift+F8')
  await expect(run.status).toHaveText('running')
  await goToPart(page, '[role="tree"]')
  await keyboard.type('look l')
  await keyboard.press('Enter')
  await expect(run.agent).toContainText('Look left.')
  await keyboard.press('Shift+F9')
  await expect(run.row('look left', 'skipped')).toBeVisible()
  // The keys walk on through the agents.
  await keyboard.press('ArrowDown')
  await expect(run.agent).toContainText('Look right.')
  await keyboard.press('F9')
  await expect(run.agent).toContainText('attempt 2')

  // Held before its last agent, it has something to resume from.
  await keyboard.press('F8')
  await expect(run.status).toContainText('paused')
  writeFileSync(gate, '')
  await expect(run.row('look right', 'completed')).toBeVisible()
  await command(page, 'Cancel run')
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await tabTo(page, 'button', 'Cancel run')
  await keyboard.press('Enter')
  await expect(run.status).toContainText('cancelled')

  await command(page, 'Resume')
  await expect(window.resumeDialog.call('look right')).toContainText('replayed')
  await tabTo(page, 'button', 'Resume')
  await keyboard.press('Enter')
  await expect(window.resumeDialog.dialog).toHaveCount(0)
  await expect(run.status).toContainText('completed, 3 agents')

  // Back to the first run through the list.
  await command(page, 'Go to Runs')
  await expect(window.runs.getByRole('button').and(page.locator(':focus'))).toHaveCount(1)
  await keyboard.press('End')
  await expect(window.runEntry('two-steps', 'cancelled')).toBeFocused()
  await keyboard.press('Enter')
  await expect(run.status).toContainText('cancelled')
}
