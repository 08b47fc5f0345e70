// A run tab: verdict, buttons, tree, timeline, the agent that is shown, log, result, and the plan of a dry run.

import type { Locator, Page } from '@playwright/test'
import { escapePattern } from './escape-pattern.ts'

export class RunPage {
  readonly page: Page
  /** The run's verdict in words. */
  readonly status: Locator
  readonly tree: Locator
  readonly agent: Locator
  readonly plan: Locator
  readonly log: Locator
  readonly logLines: Locator
  readonly result: Locator
  readonly cancelButton: Locator
  readonly pauseButton: Locator
  readonly continueButton: Locator
  readonly resumeButton: Locator
  readonly timeline: Locator
  /** The slider that takes the tree back. */
  readonly history: Locator
  readonly resultSearch: Locator
  /** The rows of the result as a tree. */
  readonly resultRows: Locator

  constructor(page: Page) {
    this.page = page
    this.status = page.getByRole('status')
    this.tree = page.getByRole('tree', { name: 'Run tree' })
    this.agent = page.getByRole('region', { name: 'Agent' })
    this.plan = page.getByRole('region', { name: 'Plan' })
    this.log = page.getByRole('region', { name: 'Log' })
    this.logLines = this.log.getByRole('listitem')
    this.result = page.getByRole('region', { name: 'Result' })
    const button = (name: string): Locator =>
      page.getByRole('tabpanel').getByRole('button', { name, exact: true }).first()
    this.cancelButton = button('Cancel run')
    this.pauseButton = button('Pause')
    this.continueButton = button('Continue')
    this.resumeButton = button('Resume')
    this.timeline = page.getByRole('figure', { name: 'Timeline' })
    this.history = this.timeline.getByRole('slider', { name: 'History' })
    this.resultSearch = this.result.getByRole('searchbox', { name: 'Search result' })
    this.resultRows = this.result.getByRole('treeitem')
  }

  /** `Skip`, `Retry` or `Stop agent` of the agent that is shown. */
  agentButton(name: string): Locator {
    return this.agent.getByRole('button', { name, exact: true })
  }

  /** Times of the axis whose words run into the next one's, from left to right. */
  collidingTimes(): Promise<string[]> {
    return this.timeline.locator('[data-track]').evaluate((track) => {
      const times = [...track.querySelectorAll('[data-tick]')].map((tick) => {
        const { left, right } = tick.getBoundingClientRect()
        return { words: tick.textContent, left, right }
      })
      if (times.length < 2) return ['no times']
      return times.flatMap(({ words, right }, index) => (right > (times[index + 1]?.left ?? Infinity) ? [words] : []))
    })
  }

  /** A bar or band of the timeline, by the beginning of its name. */
  bar(title: string): Locator {
    return this.timeline.getByRole('option', { name: new RegExp(`^${escapePattern(title)}, `) })
  }

  /** Opens the menu of the run and takes the entry. */
  async choose(entry: string): Promise<void> {
    await this.page.getByRole('button', { name: 'More about this run' }).click()
    await this.page.getByRole('menuitem', { name: entry }).click()
  }

  /** The row whose name begins with `title` and holds `status`. */
  row(title: string, status = ''): Locator {
    const name = new RegExp(`^(▸ )?${escapePattern(title)} .*${escapePattern(status)}`)
    return this.tree.getByRole('treeitem', { name })
  }

  /** Opens a level that is closed. */
  async openLevel(title: string): Promise<void> {
    const level = this.row(title)
    if ((await level.getAttribute('aria-expanded')) === 'false') await level.click()
  }

  /** Shows an agent in the Agent region. */
  async openAgent(label: string): Promise<void> {
    await this.row(label).click()
    await this.agent.waitFor()
  }

  /** Cancels the run, the question answered. */
  async cancel(): Promise<void> {
    await this.cancelButton.click()
    await this.page.getByRole('alertdialog').getByRole('button', { name: 'Cancel run' }).click()
  }
}
