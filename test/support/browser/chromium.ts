// The Chromium for browser tests: one that is named, the system's, or Playwright's own.

import { existsSync } from 'node:fs'
import { chromium, type Browser } from '@playwright/test'

const SYSTEM = '/usr/bin/chromium'

export function launchChromium(): Promise<Browser> {
  const named = process.env['CHROMIUM_PATH'] ?? (existsSync(SYSTEM) ? SYSTEM : undefined)
  // Containers run tests as root, where Chromium's own sandbox can't start; pages here are only ever our own.
  return chromium.launch({ args: ['--no-sandbox'], ...(named !== undefined && { executablePath: named }) })
}
