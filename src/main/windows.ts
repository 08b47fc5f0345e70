// All windows, one a folder: opens, finds and remembers them.

import { basename } from 'node:path'
import { BrowserWindow, type WebContents } from 'electron'
import type { HostPush, WindowCommand } from '../shared/index.ts'
import { AppWindow } from './app-window.ts'
import type { WindowSession } from './host-link.ts'
import type { Logger } from './logger.ts'
import { readWindowStates, writeWindowStates, type WindowState } from './window-state.ts'

export interface WindowsOptions {
  /** Where they are remembered. */
  stateFile: string
  preload: string
  /** A picture's file, for desktops that take a window's icon from the window. */
  icon: string
  openSession(workspace: string, push: (push: HostPush) => void): Promise<WindowSession>
  /** Called once for each window that is made. */
  onOpened(window: AppWindow): void
  /** The number of windows is another. */
  onCount(): void
  logger: Logger
}

export class Windows {
  readonly #options: WindowsOptions
  readonly #open = new Map<string, AppWindow>()
  readonly #remembered: WindowState[]

  constructor(options: WindowsOptions) {
    this.#options = options
    this.#remembered = readWindowStates(options.stateFile)
  }

  get count(): number {
    return this.#open.size
  }

  /** The folders that were open when the app last ended. */
  rememberedWorkspaces(): string[] {
    return this.#remembered.map((state) => state.workspace)
  }

  /** Opens the folder (absolute), or brings its window to the front. */
  open(workspace: string): AppWindow {
    const known = this.#open.get(workspace)
    if (known !== undefined) {
      known.focus()
      return known
    }
    const opened = new AppWindow({
      workspace,
      title: `${basename(workspace) || workspace} – Weft`,
      remembered: this.#remembered.find((state) => state.workspace === workspace),
      preload: this.#options.preload,
      icon: this.#options.icon,
      openSession: (push) => this.#options.openSession(workspace, push),
      logger: this.#options.logger,
    })
    this.#open.set(workspace, opened)
    opened.window.once('close', () => {
      // The last one is what the app opens next time.
      if (this.#open.size === 1) this.save()
    })
    opened.window.once('closed', () => {
      this.#open.delete(workspace)
      this.#options.onCount()
    })
    this.#options.onOpened(opened)
    this.#options.onCount()
    return opened
  }

  /** The window in front, else any. */
  front(): AppWindow | undefined {
    const focused = BrowserWindow.getFocusedWindow()
    const windows = [...this.#open.values()]
    return windows.find(({ window }) => window === focused) ?? windows.at(-1)
  }

  /** The folder's window, if it is open. */
  of(workspace: string): AppWindow | undefined {
    return this.#open.get(workspace)
  }

  ofContents(contents: WebContents): AppWindow | undefined {
    return [...this.#open.values()].find(({ window }) => window.webContents === contents)
  }

  sendCommand(command: WindowCommand): void {
    this.front()?.sendCommand(command)
  }

  reloadAll(): void {
    for (const window of this.#open.values()) window.reload()
  }

  /** Remembers what is open now. */
  save(): void {
    if (this.#open.size === 0) return
    try {
      writeWindowStates(
        this.#options.stateFile,
        [...this.#open.values()].map((window) => window.state()),
      )
    } catch (error) {
      this.#options.logger.warn('Where the windows stand could not be remembered', { error })
    }
  }
}
