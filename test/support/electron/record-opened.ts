// What the app hands to the system's browser, noted instead of opened.

import type { ElectronApplication } from '@playwright/test'

/** Answers the addresses handed over so far. */
export async function recordOpened(electron: ElectronApplication): Promise<() => Promise<string[]>> {
  await electron.evaluate(({ shell }) => {
    const opened: string[] = []
    Object.assign(globalThis, { openedForTest: opened })
    shell.openExternal = async (url) => void opened.push(url)
  })
  // Put there a moment ago.
  return () => electron.evaluate(() => (globalThis as unknown as { openedForTest: string[] }).openedForTest)
}
