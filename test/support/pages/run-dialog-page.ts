// The dialog that starts a live run.

import type { Locator, Page } from '@playwright/test'

export class RunDialogPage {
  readonly dialog: Locator
  readonly args: Locator
  readonly backend: Locator
  readonly budget: Locator
  readonly concurrency: Locator
  readonly start: Locator

  constructor(page: Page) {
    this.dialog = page.getByRole('dialog', { name: /^Run / })
    this.args = this.dialog.getByRole('textbox', { name: 'Args' })
    this.backend = this.dialog.getByRole('combobox', { name: 'Back end' })
    this.budget = this.dialog.getByRole('spinbutton', { name: 'Budget' })
    this.concurrency = this.dialog.getByRole('spinbutton', { name: 'Concurrency' })
    this.start = this.dialog.getByRole('button', { name: 'Run', exact: true })
  }

  /** Fills what is given and starts the run. */
  async fillAndStart(choice: { args?: string; backend?: string; budget?: number } = {}): Promise<void> {
    if (choice.args !== undefined) await this.args.fill(choice.args)
    if (choice.backend !== undefined) await this.backend.selectOption(choice.backend)
    if (choice.budget !== undefined) await this.budget.fill(String(choice.budget))
    await this.start.click()
  }
}
