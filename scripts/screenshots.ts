// `npm run screenshots`: the README's pictures, taken of the built window while it works on a real repository with real
// agent processes. In both themes, so that they can be judged in both.

import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { makeHome } from '../test/support/app/home.ts'
import { launchBrowser } from '../test/support/browser/launch-browser.ts'
import { WindowPage } from '../test/support/pages/window-page.ts'
import { Repository } from '../test/support/workflows/repository.ts'

const root = resolve(import.meta.dirname, '..')
const images = join(root, 'docs/images')
const agent = join(root, 'test/support/agents/honest-agent.mjs')

const home = makeHome()
addRepository(home.workspace)
home.writeSettings({
  backends: { honest: { kind: 'command', protocol: 'jsonl', command: [process.execPath, agent] } },
  defaultBackend: 'honest',
  // One after the other: slow enough to be seen at work.
  maxConcurrentAgents: 1,
})
mkdirSync(images, { recursive: true })

const app = await launchBrowser({ home })
try {
  const { page } = app
  const win = new WindowPage(page)
  await page.setViewportSize({ width: 1280, height: 720 })
  // Colours change at once then, instead of being caught half way.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await win.waitUntilReady()
  await win.openWorkflow('review-diff')
  await picture(page, 'editor')
  await win.editor.dryRun()
  await expect(win.run.plan).toBeVisible()
  await picture(page, 'dry-run')
  await win.tab('review-diff.js').click()
  await win.editor.run()
  await win.runDialog.fillAndStart({ args: '{"base":"HEAD~1"}' })
  // In the middle of its work, then at its end.
  await expect(win.run.row('Review', 'running')).toBeVisible({ timeout: 120_000 })
  await picture(page, 'live-run')
  await expect(win.run.status).toContainText('completed', { timeout: 240_000 })
  await picture(page, 'finished-run')
} finally {
  await app.close()
  home.remove()
}
if (app.problems.length > 0) throw new Error(app.problems.join('\n'))

async function picture(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one window, one theme at a time
    await page.emulateMedia({ colorScheme })
    // oxlint-disable-next-line no-await-in-loop -- as above
    await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== 'running'))
    // oxlint-disable-next-line no-await-in-loop -- as above
    await page.screenshot({ path: join(images, `${name}-${colorScheme}.png`) })
  }
}

/** A small shop whose last commit leaves debugging output and an unsafe evaluation behind. */
function addRepository(folder: string): void {
  const repository = new Repository(folder)
  const cart = ['export function total(items) {', '  return items.reduce((sum, item) => sum + item.price, 0)', '}']
  repository.commit('The cart adds up', { 'src/cart.js': cart, 'README.md': ['# Shop', '', 'A cart that adds up.'] })
  repository.commit('Discounts', {
    'src/cart.js': [
      ...cart,
      '',
      'export function discount(rule, items) {',
      '  console.log(rule)',
      '  return eval(rule)',
      '}',
    ],
    'src/checkout.js': ['// TODO: taxes', 'export function checkout(items) {', '  return total(items)', '}'],
    'README.md': ['# Shop', '', 'A cart that adds up and knows discounts.'],
  })
}
