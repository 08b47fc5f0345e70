// Weft running for a test, the same to a scenario whether a desktop window or a browser shows it.

import type { Page } from '@playwright/test'
import type { Home } from './home.ts'

export interface RunningApp {
  kind: 'desktop' | 'browser'
  page: Page
  home: Home
  dataDir: string
  workspace: string
  /** What went wrong that no test looks for: page errors, refused loads, faults of the host. Must be empty at the end. */
  problems: string[]
  /** Ends it as a user would, and waits until its process has ended. Idempotent. */
  close(): Promise<void>
}

export interface LaunchOptions {
  home: Home
  /** Where to put the trace; none is made without. */
  tracePath?: string
}

const problemsOf = new WeakMap<Page, string[]>()

/** The problems of a page so far, which are then no problems any more: for tests that provoke them. */
export function takeProblems(page: Page): string[] {
  return problemsOf.get(page)?.splice(0) ?? []
}

/** Notes every error that a page reports, content security violations among them: Chromium logs those as errors. */
export function watchPage(page: Page, problems: string[]): void {
  problemsOf.set(page, problems)
  page.on('pageerror', (error) => problems.push(`page error: ${error.stack ?? String(error)}`))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console error: ${message.text()} (${message.location().url})`)
  })
  page.on('crash', () => problems.push('the page crashed'))
}

const HOST_FAULT = /uncaught|unhandled|\b(?:Type|Reference|Syntax|Range)Error\b|JavaScript error occurred/i

/** Notes faults that a process writes to its stderr. */
export function watchStderr(stderr: NodeJS.ReadableStream | null, problems: string[]): void {
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n')) if (HOST_FAULT.test(line)) problems.push(`stderr: ${line}`)
  })
}
