// What agents write is untrusted, and stays text in every view and every file that it gets into.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type { Home } from '../app/home.ts'
import type { RunningApp } from '../app/running-app.ts'
import { WindowPage } from '../pages/window-page.ts'
import { startRun } from './operator.ts'
import { useAgent } from './samples.ts'
import { saveTo } from './stepping-in.ts'

type Launch = () => Promise<RunningApp>

const HOSTILE = [
  `<img src=x onerror="document.title='taken over'">`,
  `<script>document.title='taken over'</script>`,
  `[click](javascript:document.title='taken-over')`,
  `\u001b]0;taken over\u0007\u001b[31mred`,
  `\u202Egnihton`,
].join('\n')

/** What agents write is shown as the text it is, wherever it is shown. */
export async function readsHostileOutput(home: Home, launch: Launch): Promise<void> {
  home.addFile(
    'workflows/hostile.js',
    `export const meta = { name: 'hostile', description: 'Hears out a hostile agent.' }\n` +
      `const text = await agent('Speak.', { label: '<b>bold</b>' })\nlog(text)\nreturn text\n`,
  )
  const steps = [
    { send: { type: 'progress', text: HOSTILE } },
    { send: { type: 'progress', tool: '<img src=x onerror=alert(1)>', title: HOSTILE } },
    { send: { type: 'result', output: HOSTILE } },
  ]
  useAgent(home, 'scripted-agent.mjs', { WEFT_TEST_STEPS: JSON.stringify(steps) })
  const app = await launch()
  const { page } = app
  const window = new WindowPage(page)
  await startRun(window, 'hostile')
  await expect(window.run.status).toContainText('completed, 1 agent')
  await expect(window.run.result).toContainText('<img src=x onerror=')
  await expect(window.run.log).toContainText('<script>')
  await window.run.openAgent('<b>bold</b>')
  await expect(window.run.agent).toContainText('[click](javascript:')
  await expectInert(page)

  const report = join(home.workspace, 'report.html')
  await saveTo(app, report, () => window.run.choose('Export as HTML report'))
  const html = readFileSync(report, 'utf8')
  expect(html).toContain('img src=x onerror=')
  expect(html).not.toMatch(/<img src=x|<b>bold|<script>document|<a [^>]*javascript:/)

  await window.openWorkflow('hostile')
  await startRun(window, 'hostile')
  await expect(window.run.status).toContainText('completed, 1 agent')
  await window.run.choose('Compare with another run')
  await page.keyboard.press('Enter')
  await expect(window.comparison.getByRole('button', { name: /^<b>bold/ })).toBeVisible()
  await expectInert(page)

  await window.runSearch.fill('onerror')
  await expect(window.runs.getByRole('button', { name: /<img src=x/ }).first()).toBeVisible()
  await expectInert(page)
}

/** Nothing of it has become an element, a link or a script. A violation of the CSP would be a console error, and fail the test. */
async function expectInert(page: Page): Promise<void> {
  const made = await page.evaluate(() => ({
    title: document.title,
    images: document.querySelectorAll('img').length,
    scripts: [...document.querySelectorAll('script')].filter((script) => script.src === '').length,
    bold: document.querySelectorAll('#root b').length,
    links: [...document.querySelectorAll('a')].filter((link) => link.href.startsWith('javascript:')).length,
  }))
  expect(made).toEqual({ title: expect.not.stringContaining('taken'), images: 0, scripts: 0, bold: 0, links: 0 })
}
