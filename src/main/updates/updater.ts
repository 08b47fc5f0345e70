// electron-updater behind our own port. It is loaded only when something is looked for: in development never.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'
import type { Logger } from '../logger.ts'
import type { Updater } from './updates.ts'

/** Why this copy of the app can't update itself; undefined when it can. */
export function whyNoUpdates(): string | undefined {
  if (!app.isPackaged) return 'It was started from its sources.'
  // Written by the packager, when it is told where newer packages will be.
  if (!existsSync(join(process.resourcesPath, 'app-update.yml')))
    return 'This package names no place to look for newer ones.'
  return undefined
}

export async function loadUpdater(logger: Logger): Promise<Updater> {
  const { autoUpdater } = await import('electron-updater')
  autoUpdater.logger = null
  autoUpdater.autoDownload = false
  autoUpdater.autoInstallOnAppQuit = true
  autoUpdater.on('error', (error) => logger.warn('Looking for an update failed', { error }))
  return {
    async check(channel) {
      autoUpdater.channel = channel
      // Setting a channel allows going back to an older version, which a database may not.
      autoUpdater.allowDowngrade = false
      autoUpdater.allowPrerelease = channel === 'beta'
      const result = await autoUpdater.checkForUpdates()
      return result?.isUpdateAvailable === true ? result.updateInfo.version : undefined
    },
    async download() {
      await autoUpdater.downloadUpdate()
    },
  }
}
