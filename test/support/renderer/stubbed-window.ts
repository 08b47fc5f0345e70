// Playwright's `test` with the built page in Chromium on a host in memory: for what only the window itself decides.

import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { test as base, expect, type Page } from '@playwright/test'
import { SECURITY_HEADERS } from '../../../src/host/web/csp.ts'
import { findStaticFile } from '../../../src/host/web/static-files.ts'
import { watchPage } from '../app/running-app.ts'
import { launchChromium } from '../browser/chromium.ts'
import { WindowPage } from '../pages/window-page.ts'
import { stubBridge } from './bridge-stub.ts'
import { SampleHost } from './sample-host.ts'

export { expect }

const RENDERER = process.env['WEFT_TEST_RENDERER'] ?? resolve(import.meta.dirname, '../../../out/renderer')

interface Fixtures {
  host: SampleHost
  window: WindowPage
}

interface WorkerFixtures {
  /** Where the built page is served, with the product's own headers. */
  site: string
  newPage: (options: { colorScheme: 'light' | 'dark' }) => Promise<Page>
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  site: [
    // Playwright reads from the pattern which fixtures one needs: none.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const server = createServer((request, response) => {
        void findStaticFile(RENDERER, request.url ?? '/').then((file) => {
          response.writeHead(file ? 200 : 404, { ...SECURITY_HEADERS, ...(file && { 'content-type': file.type }) })
          if (file) createReadStream(file.path).pipe(response)
          else response.end()
        })
      })
      await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
      // A TCP server's address is an object.
      await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
    { scope: 'worker' },
  ],
  newPage: [
    // oxlint-disable-next-line no-empty-pattern -- as above
    async ({}, use) => {
      const browser = await launchChromium()
      await use(async ({ colorScheme }) => {
        const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, colorScheme })
        return context.newPage()
      })
      await browser.close()
    },
    { scope: 'worker' },
  ],
  // oxlint-disable-next-line no-empty-pattern -- as above
  host: async ({}, use) => {
    await use(new SampleHost(Date.now()))
  },
  window: async ({ site, host, newPage }, use) => {
    const page = await newPage({ colorScheme: 'dark' })
    const problems: string[] = []
    watchPage(page, problems)
    await stubBridge(page, host)
    await page.goto(site)
    const window = new WindowPage(page)
    await window.waitUntilReady()
    await use(window)
    await page.context().close()
    expect(problems).toEqual([])
  },
})
