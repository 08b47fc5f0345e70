// Looks a view through with axe.

import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** `within` is a selector. Monaco answers for itself, and is too big to be looked through each time. */
export async function checkAccessibility(page: Page, view: string, within = 'body'): Promise<void> {
  // What is called legacy asks the page itself; the other opens a second page for every look, for frames of other origins.
  const axe = new AxeBuilder({ page }).setLegacyMode().include(within).exclude('.monaco-editor')
  const { violations } = await axe.analyze()
  expect({ view, violations: violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]) }).toEqual({
    view,
    violations: [],
  })
}
