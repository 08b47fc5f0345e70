// What is wrong with the active file.

import type { Locator, Page } from '@playwright/test'

export class ProblemsPage {
  readonly region: Locator
  /** `line:column message`, then a hint and the code. */
  readonly items: Locator

  constructor(page: Page) {
    this.region = page.getByRole('region', { name: 'Problems' })
    this.items = this.region.getByRole('listitem')
  }

  item(text: string | RegExp): Locator {
    return this.items.filter({ hasText: text })
  }

  /** Mends the problem by its own button. */
  async fix(text: string | RegExp, title: string): Promise<void> {
    await this.item(text).getByRole('button', { name: title, exact: true }).click()
  }

  /** Goes to the problem's place in the editor. */
  async open(text: string | RegExp): Promise<void> {
    await this.item(text).getByRole('button').first().click()
  }
}
