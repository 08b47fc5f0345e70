// What the items of the application menu do.

import { join } from 'node:path'
import { Menu, shell } from 'electron'
import { askForFolder } from './dialogs.ts'
import { buildMenu } from './menu.ts'
import type { Windows } from './windows.ts'

export function installMenu(windows: Windows, dataDir: string): void {
  const openFolder = async (): Promise<void> => {
    const folder = await askForFolder(windows.front()?.window)
    if (folder !== undefined) windows.open(folder)
  }
  const template = buildMenu(
    {
      openFolder: () => void openFolder(),
      closeWindow: () => windows.front()?.window.close(),
      command: (command) => windows.front()?.sendCommand(command),
      showLogs: () => void shell.openPath(join(dataDir, 'logs')),
    },
    process.platform,
  )
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}
