// The application menu at work: what its items do, and which of them make sense in the window in front.

import { join } from 'node:path'
import { app, Menu, shell, type MenuItem, type WebContents } from 'electron'
import type { AppAction, WindowCommand } from '../shared/index.ts'
import { askForFolder, fileDialogs } from './dialogs.ts'
import { pickFile } from './file-dialogs.ts'
import { buildMenu, COMMAND_ID, WINDOW_ITEM_IDS } from './menu.ts'
import type { RecentFolders } from './recent-folders.ts'
import type { Windows } from './windows.ts'

export interface AppMenuOptions {
  windows: Windows
  recent: RecentFolders
  dataDir: string
  checkForUpdates(): void
}

export class AppMenu {
  readonly #options: AppMenuOptions
  /** What each page said makes sense in it; one that said nothing yet can do all. */
  readonly #enabled = new WeakMap<WebContents, ReadonlySet<WindowCommand>>()
  #shownRecent = ''

  constructor(options: AppMenuOptions) {
    this.#options = options
    this.#build()
    app.on('browser-window-focus', () => this.update())
  }

  enable(contents: WebContents, commands: readonly WindowCommand[]): void {
    this.#enabled.set(contents, new Set(commands))
    this.update()
  }

  /** Brings the items up to date; builds the menu anew only when it has other ones, which would close an open menu. */
  update(): void {
    const menu = Menu.getApplicationMenu()
    if (menu === null || this.#options.recent.list().join('\n') !== this.#shownRecent) return this.#build()
    const hasWindow = this.#options.windows.count > 0
    for (const item of allItems(menu)) {
      if (item.id?.startsWith(COMMAND_ID)) {
        // Ids with this beginning are made from names of commands.
        item.enabled = hasWindow && this.#isEnabled(item.id.slice(COMMAND_ID.length) as WindowCommand)
      } else if (WINDOW_ITEM_IDS.some((id) => id === item.id)) item.enabled = hasWindow
    }
  }

  act(action: AppAction): void {
    const { dataDir } = this.#options
    if (action === 'open-folder') void this.#openFolder()
    else if (action === 'show-logs') void shell.openPath(join(dataDir, 'logs'))
    else this.#options.checkForUpdates()
  }

  #build(): void {
    const { windows, recent } = this.#options
    const folders = recent.list()
    this.#shownRecent = folders.join('\n')
    const template = buildMenu(
      {
        openFolder: () => this.act('open-folder'),
        openFile: () => void this.#openFile(),
        openRecent: (folder) => windows.open(folder),
        clearRecent: () => {
          recent.clear()
          this.update()
        },
        closeWindow: () => windows.front()?.window.close(),
        command: (command) => windows.front()?.sendCommand(command),
        showLogs: () => this.act('show-logs'),
        checkForUpdates: () => this.act('check-for-updates'),
      },
      {
        platform: process.platform,
        recent: folders,
        isEnabled: (command) => this.#isEnabled(command),
        hasWindow: windows.count > 0,
      },
    )
    Menu.setApplicationMenu(Menu.buildFromTemplate(template))
  }

  #isEnabled(command: WindowCommand): boolean {
    const front = this.#options.windows.front()?.window
    return front === undefined || (this.#enabled.get(front.webContents)?.has(command) ?? true)
  }

  async #openFolder(): Promise<void> {
    const { windows } = this.#options
    const folder = await askForFolder(windows.front()?.window)
    if (folder !== undefined) windows.open(folder)
  }

  async #openFile(): Promise<void> {
    const front = this.#options.windows.front()
    if (front === undefined) return
    const request = { purpose: 'open', kind: 'workflow' } as const
    const path = await pickFile(request, front.workspace, fileDialogs(front.window))
    if (path !== null) front.open({ path })
  }
}

function allItems(menu: Menu): MenuItem[] {
  return menu.items.flatMap((item) => [item, ...(item.submenu ? allItems(item.submenu) : [])])
}
