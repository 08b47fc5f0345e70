// The window as a person sees it: sidebar, tabs, status bar, dialogs. Works in Electron and in any browser.

import { expect, type Locator, type Page } from '@playwright/test'
import { EditorPage } from './editor-page.ts'
import { escapePattern } from './escape-pattern.ts'
import { ProblemsPage } from './problems-page.ts'
import { ResumeDialogPage } from './resume-dialog-page.ts'
import { RunDialogPage } from './run-dialog-page.ts'
import { RunPage } from './run-page.ts'
import { SettingsPage } from './settings-page.ts'

export class WindowPage {
  readonly page: Page
  readonly workflows: Locator
  readonly runs: Locator
  readonly statusBar: Locator
  /** Messages of what failed. */
  readonly alerts: Locator
  /** Messages of what was done, what failed and what is offered. */
  readonly notices: Locator
  readonly editor: EditorPage
  readonly problems: ProblemsPage
  readonly run: RunPage
  readonly runDialog: RunDialogPage
  readonly runSearch: Locator
  readonly resumeDialog: ResumeDialogPage
  readonly comparison: Locator
  readonly settings: SettingsPage

  constructor(page: Page) {
    this.page = page
    this.workflows = page.getByRole('navigation', { name: 'Workflows' })
    this.runs = page.getByRole('navigation', { name: 'Runs' })
    this.statusBar = page.getByRole('contentinfo', { name: 'Status bar' })
    // Monaco has two of its own for screen readers.
    this.alerts = page.getByRole('alert').and(page.locator(':not(.monaco-alert)'))
    this.notices = page.getByRole('region', { name: 'Messages' })
    this.runSearch = this.runs.getByRole('searchbox', { name: 'Search runs' })
    this.resumeDialog = new ResumeDialogPage(page)
    this.comparison = page.getByRole('region', { name: 'Comparison' })
    this.editor = new EditorPage(page)
    this.problems = new ProblemsPage(page)
    this.run = new RunPage(page)
    this.runDialog = new RunDialogPage(page)
    this.settings = new SettingsPage(page)
  }

  /** Until the page is connected to its host. */
  async waitUntilReady(): Promise<void> {
    await expect(this.statusBar).toContainText('Host ready')
  }

  /** A workflow's entry in the sidebar, by its name. */
  workflow(name: string): Locator {
    return this.workflows.getByRole('button', { name: new RegExp(`^${escapePattern(name)}( |$)`) })
  }

  /** Opens a workflow and waits for its editor. */
  async openWorkflow(name: string): Promise<EditorPage> {
    await this.workflow(name).click()
    await this.editor.waitUntilReady()
    return this.editor
  }

  /** Makes a workflow from a pattern by the sidebar's button, and waits for its editor. */
  async newWorkflow(name: string, pattern = 'Empty workflow'): Promise<EditorPage> {
    await this.workflows.getByRole('button', { name: 'New workflow', exact: true }).click()
    const dialog = this.page.getByRole('dialog', { name: 'New workflow' })
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByRole('radio', { name: pattern }).check()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect(this.tab(`${name}.js`)).toHaveAttribute('aria-selected', 'true')
    await this.editor.waitUntilReady()
    return this.editor
  }

  /** A run's entry in the sidebar: name and status, e.g. `review, completed`. */
  runEntry(name: string, status = ''): Locator {
    return this.runs.getByRole('button', { name: new RegExp(`^${escapePattern(name)}, ${escapePattern(status)}`) })
  }

  async openRun(name: string, status = ''): Promise<RunPage> {
    await this.runEntry(name, status).first().click()
    return this.run
  }

  tab(name: string): Locator {
    return this.page.getByRole('tab', { name, exact: true })
  }

  /** Closes the tab by the keyboard, as far as the first question. */
  async closeTab(name: string): Promise<void> {
    await this.tab(name).focus()
    await this.page.keyboard.press('Delete')
  }

  async chooseCommand(title: string): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+Shift+P')
    await this.page.getByRole('dialog', { name: 'Command palette' }).getByRole('option', { name: title }).click()
  }

  /** Opens a workflow through quick open, by the keyboard alone. */
  async quickOpen(name: string): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+P')
    await this.page.getByRole('combobox', { name: 'Open a workflow by name' }).fill(name)
    await this.page.keyboard.press('Enter')
  }

  theme(): Promise<string | null> {
    return this.page.locator('html').getAttribute('data-theme')
  }
}
