import { expect, test } from '../support/app/fixtures.ts'
import { takeProblems } from '../support/app/running-app.ts'
import { WindowPage } from '../support/pages/window-page.ts'
import { addSample } from '../support/scenarios/samples.ts'

test('the address bar keeps no token, and a reload shows the same window', async ({ home, launchInBrowser }) => {
  addSample(home)
  const { page, url } = await launchInBrowser()
  const window = new WindowPage(page)
  await window.openWorkflow('two-steps')
  expect(new URL(page.url()).search).toBe('')
  expect(page.url()).not.toBe(url)
  await page.reload()
  await expect(window.tab('two-steps.js')).toBeVisible()
  await expect(window.editor.lines).toContainText('Asks two agents at once')
})

test('without the token there is no page', async ({ launchInBrowser }) => {
  const { browser, url } = await launchInBrowser()
  const stranger = await browser.newPage()
  const answer = await stranger.goto(new URL('/', url).href)
  expect(answer?.status()).toBeGreaterThanOrEqual(400)
  await expect(new WindowPage(stranger).workflows).toHaveCount(0)
  await stranger.close()
})

test('nothing is loaded from outside', async ({ launchInBrowser }) => {
  const { page } = await launchInBrowser()
  const fetched = await page.evaluate(() =>
    fetch('http://127.0.0.1:9/')
      .then(() => 'loaded')
      .catch(() => 'refused'),
  )
  expect(fetched).toBe('refused')
  expect(takeProblems(page).join('\n')).toContain('Content Security Policy')
})
