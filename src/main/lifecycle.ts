// What the system and the user tell the app: open this, come to the front, end.

import { app, powerMonitor } from 'electron'
import type { AppWindow } from './app-window.ts'
import { parseArguments } from './arguments.ts'
import { createClosing, type CloseAnswer } from './closing.ts'
import type { Quit } from './quit.ts'
import type { Windows } from './windows.ts'

const SHUTDOWN = 'The system is shutting down'

/** Opens what the command line names, else the windows that were open last, else the fallback. */
export function openFirst(windows: Windows, fallback: () => string): void {
  const { workspace } = parseArguments(process.argv, process.cwd())
  const remembered = windows.rememberedWorkspaces()
  const folders = workspace !== undefined ? [workspace] : remembered.length > 0 ? remembered : [fallback()]
  for (const folder of folders) windows.open(folder)
}

/** `openApp` brings a window to the front, or opens one when there is none. */
export function followTheSystem(windows: Windows, quit: Quit, openApp: () => void): void {
  app.on('before-quit', (event) => {
    event.preventDefault()
    void quit.request()
  })
  // Nobody is there to answer a question, and shutting down must not be held up.
  powerMonitor.on('shutdown', () => void quit.now(SHUTDOWN))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void quit.now(`Weft was ended by ${signal}`))
  }
  app.on('second-instance', (_event, argv, cwd) => {
    const { workspace } = parseArguments(argv, cwd)
    if (workspace === undefined) openApp()
    else windows.open(workspace)
  })
  // On a Mac an app lives on without windows, and a click in the dock asks for one; elsewhere the last one quits it,
  // unless its runs go on in the tray.
  app.on('window-all-closed', () => {})
  app.on('activate', () => {
    if (windows.count === 0) openApp()
  })
}

export interface WindowPorts {
  isLast(): boolean
  liveRuns(): Promise<number>
  ask(window: AppWindow, liveRuns: number): Promise<CloseAnswer>
  onError(error: unknown): void
}

/** A window's own part in it. */
export function followWindow(opened: AppWindow, quit: Quit, ports: WindowPorts): void {
  const { window } = opened
  let mayClose = process.platform === 'darwin'
  const close = createClosing({
    liveRuns: () => ports.liveRuns(),
    ask: (liveRuns) => ports.ask(opened, liveRuns),
    closeWindow() {
      mayClose = true
      window.close()
    },
    quit: () => void quit.now('Weft was closed'),
    onError: (error) => ports.onError(error),
  })
  window.on('close', (event) => {
    if (mayClose || !ports.isLast()) return
    event.preventDefault()
    void close()
  })
  window.on('session-end', () => void quit.now(SHUTDOWN))
}
