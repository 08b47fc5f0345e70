// One window: a sandboxed page of the app's own, its line to the host, and what happens when the page dies.

import { join } from 'node:path'
import { BrowserWindow, dialog, nativeTheme, screen } from 'electron'
import type { HostPush, OpenTarget, WindowCommand } from '../shared/index.ts'
import { createCrashPolicy } from './crash-policy.ts'
import type { WindowSession } from './host-link.ts'
import type { Logger } from './logger.ts'
import { APP_PAGE } from './renderer-files.ts'
import { fitBounds, type WindowState } from './window-state.ts'

export interface AppWindowOptions {
  workspace: string
  title: string
  remembered: WindowState | undefined
  /** The preload script's file. */
  preload: string
  icon: string
  openSession(push: (push: HostPush) => void): Promise<WindowSession>
  logger: Logger
}

const DARK = '#1b1b1f'
const LIGHT = '#ffffff'

export class AppWindow {
  readonly workspace: string
  readonly window: BrowserWindow
  readonly #options: AppWindowOptions
  readonly #crashes = createCrashPolicy(Date.now)
  #session: Promise<WindowSession> | undefined
  /** What the page is to show once it listens; undefined while it does. */
  #pending: OpenTarget[] | undefined = []

  constructor(options: AppWindowOptions) {
    this.#options = options
    this.workspace = options.workspace
    const workAreas = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map((display) => display.workArea)
    this.window = new BrowserWindow({
      ...fitBounds(options.remembered?.bounds, workAreas),
      minWidth: 640,
      minHeight: 400,
      show: false,
      title: options.title,
      ...(process.platform === 'linux' && { icon: options.icon }),
      backgroundColor: nativeTheme.shouldUseDarkColors ? DARK : LIGHT,
      webPreferences: {
        preload: options.preload,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webSecurity: true,
        webviewTag: false,
        navigateOnDragDrop: false,
        // Its dictionaries are a download.
        spellcheck: false,
      },
    })
    this.#watchPage()
    this.window.once('ready-to-show', () => {
      if (options.remembered?.maximized) this.window.maximize()
      this.window.show()
    })
    this.window.once('closed', () => this.#hangUp())
    this.#load()
  }

  /** The line of the page that is loaded now. */
  session(): Promise<WindowSession> {
    this.#session ??= this.#options.openSession((push) => this.#send('weft:push', push))
    return this.#session
  }

  sendCommand(command: WindowCommand): void {
    this.#send('weft:command', command)
  }

  /** Shows a run or a file in the page, as soon as there is one. */
  open(target: OpenTarget): void {
    if (this.#pending === undefined) this.#send('weft:open', target)
    else this.#pending.push(target)
  }

  /** The page listens now. */
  listening(): void {
    const pending = this.#pending ?? []
    this.#pending = undefined
    for (const target of pending) this.#send('weft:open', target)
  }

  /** Loads the page anew, on a new line to the host. */
  reload(): void {
    this.#load()
  }

  focus(): void {
    if (this.window.isMinimized()) this.window.restore()
    this.window.show()
    this.window.focus()
  }

  state(): WindowState {
    return {
      workspace: this.workspace,
      bounds: this.window.getNormalBounds(),
      maximized: this.window.isMaximized(),
    }
  }

  #load(): void {
    void this.window.loadURL(APP_PAGE).catch((error: unknown) => {
      // Loading is broken off when another one begins or the window closes.
      if (!this.window.isDestroyed()) this.#options.logger.error('The page did not load', { error })
    })
  }

  #watchPage(): void {
    const contents = this.window.webContents
    // A page that goes takes what it watched with it; the next one gets a line of its own.
    contents.on('did-start-navigation', (details) => {
      if (!details.isMainFrame || details.isSameDocument) return
      this.#pending ??= []
      this.#hangUp()
    })
    contents.on('render-process-gone', (_event, details) => {
      if (details.reason === 'clean-exit') return
      this.#options.logger.error('A window crashed', { ...details, workspace: this.workspace })
      this.#pending ??= []
      this.#hangUp()
      if (this.#crashes.next() === 'reload') this.#load()
      else void this.#askAboutCrash()
    })
    this.window.on('page-title-updated', (event) => event.preventDefault())
  }

  async #askAboutCrash(): Promise<void> {
    const { response } = await dialog.showMessageBox(this.window, {
      type: 'error',
      message: 'The window crashed again.',
      detail: 'Your runs go on, and unsaved text was kept. The log (Help > Show logs) may say more.',
      buttons: ['Reload', 'Close window'],
      defaultId: 0,
      cancelId: 1,
    })
    if (this.window.isDestroyed()) return
    if (response === 0) this.#load()
    else this.window.close()
  }

  #send(channel: string, message: HostPush | WindowCommand | OpenTarget): void {
    if (!this.window.isDestroyed() && !this.window.webContents.isCrashed())
      this.window.webContents.send(channel, message)
  }

  #hangUp(): void {
    const session = this.#session
    this.#session = undefined
    session?.then(
      (open) => open.close(),
      () => {}, // It was told to whoever called.
    )
  }
}

/** The preload script of the build, as seen from the main bundle's folder. */
export const preloadFile = (mainFolder: string): string => join(mainFolder, '..', 'preload', 'index.cjs')
