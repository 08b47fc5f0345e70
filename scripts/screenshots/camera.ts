// Takes the window's picture in both themes.

import { join } from 'node:path'
import type { Page } from '@playwright/test'

const SETTLE_MS = 400

export type TakePicture = (name: string) => Promise<void>

export function makeCamera(page: Page, folder: string): TakePicture {
  return async (name) => {
    // Words at what the pointer happens to be over are no part of the view.
    await page.mouse.move(0, 0)
    for (const colorScheme of ['light', 'dark'] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one window, one theme at a time
      await page.emulateMedia({ colorScheme })
      // oxlint-disable-next-line no-await-in-loop -- as above
      await page.waitForFunction((theme) => document.documentElement.dataset['theme'] === theme, colorScheme)
      // The window's transitions are over at once, Monaco takes its colours over in frames of its own.
      // oxlint-disable-next-line no-await-in-loop -- as above
      await page.waitForTimeout(SETTLE_MS)
      // oxlint-disable-next-line no-await-in-loop -- as above
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`), caret: 'hide' })
    }
  }
}
