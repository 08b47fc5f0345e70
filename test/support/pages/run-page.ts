// A run tab: verdict, tree, the agent that is shown, log, result, and the plan of a dry run.

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

  constructor(page: Page) {
    this.page = page
    this.status = page.getByRole('status')
    this.tree = page.getByRole('tree', { name: 'Run tree' })
    this.agent = page.getByRole('region', { name: 'Agent' })
    this.plan = page.getByRole('region', { name: 'Plan' })
    this.log = page.getByRole('region', { name: 'Log' })
    this.logLines = this.log.getByRole('listitem')
    this.result = page.getByRole('region', { name: 'Result' })
    this.cancelButton = page.getByRole('tabpanel').getByRole('button', { name: 'Cancel run' })
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
