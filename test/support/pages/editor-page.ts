// A file tab: Monaco and the buttons above it.

import { expect, type Locator, type Page } from '@playwright/test'

export class EditorPage {
  readonly page: Page
  /** The visible lines; further ones exist only when scrolled to. */
  readonly lines: Locator
  readonly dryRunButton: Locator
  readonly runButton: Locator
  readonly saveButton: Locator
  readonly squiggles: Locator

  constructor(page: Page) {
    this.page = page
    const content = page.getByRole('tabpanel')
    this.lines = content.locator('.monaco-editor .view-lines')
    this.squiggles = content.locator('.monaco-editor').locator('.squiggly-error, .squiggly-warning, .squiggly-info')
    this.dryRunButton = content.getByRole('button', { name: 'Dry run', exact: true })
    this.runButton = content.getByRole('button', { name: 'Run', exact: true })
    this.saveButton = content.getByRole('button', { name: 'Save', exact: true })
  }

  /** Monaco loads a language on first use: only once its colours are there do its keys work as they should. */
  async waitUntilReady(): Promise<void> {
    const colours = (): Promise<number> =>
      this.lines
        .locator('span[class^="mtk"]')
        .evaluateAll((spans) => new Set(spans.map((span) => getComputedStyle(span).color)).size)
    await expect.poll(colours).toBeGreaterThanOrEqual(2)
  }

  /** Puts the cursor into the text. */
  async focus(): Promise<void> {
    await this.lines.click()
  }

  /** Replaces everything by `text`, as pasted: typed lines would be indented. */
  async replaceText(text: string): Promise<void> {
    await this.focus()
    await this.page.keyboard.press('ControlOrMeta+A')
    await this.page.evaluate((pasted) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', pasted)
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.activeElement?.dispatchEvent(paste)
    }, text)
  }

  /** Types at the end of the text, key by key. */
  async typeAtEnd(text: string): Promise<void> {
    await this.focus()
    await this.page.keyboard.press('ControlOrMeta+End')
    await this.page.keyboard.type(text)
  }

  /** The visible text, with plain spaces and one line end a line. */
  async visibleText(): Promise<string> {
    const lines = await this.lines.locator('.view-line').evaluateAll((elements) =>
      elements
        .map((element) => ({ top: element.getBoundingClientRect().top, text: element.textContent ?? '' }))
        .sort((a, b) => a.top - b.top)
        .map((line) => line.text.replaceAll('\u00a0', ' ')),
    )
    return lines.join('\n')
  }

  async save(): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+S')
  }

  async dryRun(): Promise<void> {
    await this.dryRunButton.click()
  }

  /** Opens the Run dialog. */
  async run(): Promise<void> {
    await this.runButton.click()
  }

  /** Picks an entry of the file's own menu. */
  async fileAction(name: string): Promise<void> {
    await this.page.getByRole('button', { name: 'File actions' }).click()
    await this.page.getByRole('menuitem', { name }).click()
  }

  /** Puts the cursor into the line (from 1) at its end. */
  async goToLine(line: number): Promise<void> {
    await this.focus()
    await this.page.keyboard.press('ControlOrMeta+Home')
    for (let at = 1; at < line; at++) await this.page.keyboard.press('ArrowDown')
    await this.page.keyboard.press('End')
  }

  /** The mark of unsaved text at the file's tab. */
  dirtyMark(fileName: string): Locator {
    return this.page
      .locator('[data-dirty]')
      .filter({ has: this.page.getByRole('tab', { name: fileName, exact: true }) })
  }
}
