// The tests' `test`: each gets a home of its own, and at its end nothing may have gone wrong unseen or be left running.

import { rmSync } from 'node:fs'
import { test as base, expect, type TestInfo } from '@playwright/test'
import { launchBrowser, type BrowserApp } from '../browser/launch-browser.ts'
import { launchDesktop, type DesktopApp } from '../electron/launch-desktop.ts'
import { makeHome, type Home } from './home.ts'
import { processesWith } from './processes.ts'
import type { RunningApp } from './running-app.ts'

export { expect }

interface Fixtures {
  home: Home
  /** The app as the project shows it, launched in the test's home when it is first called; again after a `close`. */
  launch(): Promise<RunningApp>
  launchInWindow(args?: string[]): Promise<DesktopApp>
  launchInBrowser(): Promise<BrowserApp>
}

export const test = base.extend<Fixtures & { launches: Promise<RunningApp>[] }>({
  // Playwright reads from the pattern which fixtures one needs: none.
  // oxlint-disable-next-line no-empty-pattern
  home: async ({}, use) => {
    const home = makeHome()
    await use(home)
    home.remove()
  },
  launches: async ({ home }, use, info) => {
    // Kept from their beginning: a launch that a time-out cuts off still has to be ended.
    const launches: Promise<RunningApp>[] = []
    await use(launches)
    const apps = (await Promise.allSettled(launches)).flatMap((launch) =>
      launch.status === 'fulfilled' ? [launch.value] : [],
    )
    for (const app of apps) await app.close()
    const failed = info.status !== info.expectedStatus
    for (const [index] of apps.entries()) {
      const path = traceOf(info, index)
      if (path === undefined) continue
      if (failed) await info.attach('trace', { path, contentType: 'application/zip' })
      else rmSync(path, { force: true })
    }
    expect(apps.flatMap((app) => app.problems)).toEqual([])
    await expect.poll(() => processesWith(home.mark), { message: 'no process is left' }).toEqual([])
  },
  launchInWindow: async ({ home, launches }, use, info) => {
    await use((args) => {
      const launch = launchDesktop({ home, ...traced(info, launches), ...(args && { args }) })
      launches.push(launch)
      return launch
    })
  },
  launchInBrowser: async ({ home, launches }, use, info) => {
    await use(() => {
      const launch = launchBrowser({ home, ...traced(info, launches) })
      launches.push(launch)
      return launch
    })
  },
  launch: async ({ launchInWindow, launchInBrowser }, use, info) => {
    await use(info.project.name === 'desktop' ? () => launchInWindow() : launchInBrowser)
  },
})

/** A trace takes a tenth of a test's time, and continuous integration keeps none of the files. */
const traceOf = (info: TestInfo, index: number): string | undefined =>
  process.env['CI'] === 'true' ? undefined : info.outputPath(`trace-${index + 1}.zip`)

function traced(info: TestInfo, launches: readonly unknown[]): { tracePath?: string } {
  const tracePath = traceOf(info, launches.length)
  return tracePath === undefined ? {} : { tracePath }
}
