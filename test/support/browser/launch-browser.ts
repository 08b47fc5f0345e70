// Starts the built `weft serve` and opens its page in Chromium.

import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Browser } from '@playwright/test'
import { watchPage, watchStderr, type LaunchOptions, type RunningApp } from '../app/running-app.ts'
import { launchChromium } from './chromium.ts'

const weft = resolve(import.meta.dirname, '../../../bin/weft.mjs')
const START_MS = 20_000
const EXIT_MS = 20_000

export interface BrowserApp extends RunningApp {
  kind: 'browser'
  browser: Browser
  /** The address with its token, as `weft serve` printed it. */
  url: string
  /** The host's process. */
  pid: number
}

export async function launchBrowser({ home, tracePath }: LaunchOptions): Promise<BrowserApp> {
  const problems: string[] = []
  const child = spawn(process.execPath, [weft, 'serve', '--json'], { cwd: home.workspace, env: home.env })
  const exited = new Promise<void>((done) => child.once('exit', () => done()))
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  watchStderr(child.stderr, problems)
  const first = await new Promise<string>((done, fail) => {
    const late = setTimeout(
      () => fail(new Error(`weft serve did not listen within ${START_MS} ms: ${complaints}`)),
      START_MS,
    )
    createInterface({ input: child.stdout }).once('line', (line) => {
      clearTimeout(late)
      done(line)
    })
    void exited.then(() => fail(new Error(`weft serve ended at once: ${complaints}`)))
  })
  // What `serve --json` prints.
  const { url, pid } = JSON.parse(first) as { url: string; pid: number }

  const browser = await launchChromium()
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  if (tracePath !== undefined) await context.tracing.start({ snapshots: true })
  const page = await context.newPage()
  watchPage(page, problems)
  await page.goto(url)

  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    if (tracePath !== undefined) await context.tracing.stop({ path: tracePath })
    await browser.close()
    child.kill('SIGTERM')
    const late = setTimeout(() => {
      problems.push(`weft serve did not end within ${EXIT_MS} ms`)
      child.kill('SIGKILL')
    }, EXIT_MS)
    await exited
    clearTimeout(late)
  }
  const { dataDir, workspace } = home
  return {
    kind: 'browser',
    browser,
    url,
    pid,
    page,
    home,
    dataDir,
    workspace,
    problems,
    close: () => (closing ??= close()),
  }
}
