// Looks a view through with axe.

import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** `within` is a selector. Monaco answers for itself, and is too big to be looked through each time. */
export async function checkAccessibility(page: Page, view: string, within = 'body'): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).include(within).exclude('.monaco-editor').analyze()
  expect({ view, violations: violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]) }).toEqual({
    view,
    violations: [],
  })
}
