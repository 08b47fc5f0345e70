// The settings: a form, and the file as JSON.

import type { Locator, Page } from '@playwright/test'

export class SettingsPage {
  readonly form: Locator
  readonly json: Locator
  readonly backends: Locator
  readonly #content: Locator
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
    this.#content = page.getByRole('tabpanel', { name: 'Settings' })
    this.form = this.#content.getByRole('group', { name: 'Settings form' })
    this.json = this.#content.getByRole('textbox', { name: 'Settings as JSON' })
    this.backends = this.form.getByRole('region', { name: 'Back ends' })
  }

  /** A number or text; taken over when it is left. */
  field(label: string): Locator {
    return this.form.getByLabel(label, { exact: true })
  }

  /** What is said below a field: its hint, or what is wrong. */
  noteOf(label: string): Locator {
    const control = this.#page.getByLabel(label, { exact: true })
    return this.form.locator('div').filter({ has: control }).last().locator('> p')
  }

  button(name: string): Locator {
    return this.#content.getByRole('button', { name, exact: true })
  }

  async addCommandBackend(name: string, command: string[]): Promise<void> {
    await this.button('Add a back end').click()
    const form = this.backends.getByRole('form', { name: 'New back end' })
    await form.getByLabel('Name').fill(name)
    await form.getByLabel('Command', { exact: true }).fill(command.join('\n'))
    await form.getByRole('button', { name: 'Keep back end' }).click()
  }
}
