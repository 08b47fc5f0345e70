// The dialog that goes on from an earlier run, its plan first.

import type { Locator, Page } from '@playwright/test'

export class ResumeDialogPage {
  readonly dialog: Locator
  readonly plan: Locator
  readonly calls: Locator
  readonly script: Locator
  readonly args: Locator
  readonly start: Locator

  constructor(page: Page) {
    this.dialog = page.getByRole('dialog', { name: /^Resume / })
    this.plan = this.dialog.getByRole('region', { name: 'Resume plan' })
    this.calls = this.plan.getByRole('group', { name: 'Planned calls' }).getByRole('listitem')
    this.script = this.dialog.getByRole('combobox', { name: 'Script' })
    this.args = this.dialog.getByRole('textbox', { name: 'Args' })
    this.start = this.dialog.getByRole('button', { name: 'Resume', exact: true })
  }

  /** The planned call of that label. */
  call(label: string): Locator {
    return this.calls.filter({ hasText: label })
  }
}
