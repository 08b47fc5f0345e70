// The window as a user finds it: by the names that app.md promises to people, screen readers and tests.

import { expect, type Locator, type Page } from '@playwright/test'

export const workflows = (page: Page): Locator => page.getByRole('navigation', { name: 'Workflows' })
export const runs = (page: Page): Locator => page.getByRole('navigation', { name: 'Runs' })
export const problems = (page: Page): Locator => page.getByRole('region', { name: 'Problems' })
export const tree = (page: Page): Locator => page.getByRole('tree', { name: 'Run tree' })
/** The run's own status. */
export const verdict = (page: Page): Locator => page.getByRole('main').getByRole('status')
export const result = (page: Page): Locator => page.getByRole('region', { name: 'Result' })

/** The row whose name begins with the phase title or agent label and holds the status word. */
export const row = (page: Page, title: string, status: string): Locator =>
  tree(page).getByRole('treeitem', { name: new RegExp(`^${title}.*\\b${status}\\b`) })

/** Opens a workflow from the sidebar and waits for its text. */
export async function openWorkflow(page: Page, name: string): Promise<void> {
  await workflows(page).getByRole('button', { name }).click()
  await expect(editorLines(page)).toBeVisible()
}

/** Monaco draws its text outside of the accessibility tree. */
export const editorLines = (page: Page): Locator => page.locator('.monaco-editor .view-lines').first()

/** The text in view, line breaks aside. */
export async function expectEditorText(page: Page, text: string | RegExp): Promise<void> {
  await expect(editorLines(page)).toContainText(text)
}

/** Replaces a line (from 1) of the open file by typing. */
export async function retypeLine(page: Page, line: number, text: string): Promise<void> {
  // Monaco loads a language on first use: before its colours are there, typing is not what it will be.
  await expect
    .poll(() => editorLines(page).locator('span[class^="mtk"]').evaluateAll(countColours))
    .toBeGreaterThanOrEqual(3)
  await editorLines(page).click()
  await page.keyboard.press('ControlOrMeta+Home')
  for (let at = 1; at < line; at++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+End')
  await page.keyboard.type(text)
}

function countColours(spans: Element[]): number {
  return new Set(spans.map((span) => getComputedStyle(span).color)).size
}

/** Starts the open workflow with the default back end. */
export async function startRun(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Run', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(dialog).toBeHidden()
}
