// Looks a view through with axe.

import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** What a theme alone can break. */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block']

interface Look {
  /** A selector; everything when left out. */
  within?: string
  /** For a second look in another theme: the rest was looked at in the first. */
  coloursAlone?: boolean
}

/** Monaco answers for itself, and is too big to be looked through each time. */
export async function checkAccessibility(page: Page, view: string, look: Look = {}): Promise<void> {
  const axe = new AxeBuilder({ page }).include(look.within ?? 'body').exclude('.monaco-editor')
  if (look.coloursAlone === true) axe.withRules(RULES_OF_COLOURS)
  const { violations } = await axe.analyze()
  expect({ view, violations: violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]) }).toEqual({
    view,
    violations: [],
  })
}
