// What the system and the user tell the app: open this, come to the front, end.

import { app, powerMonitor, type BrowserWindow } from 'electron'
import { parseArguments } from './arguments.ts'
import type { Quit } from './quit.ts'
import type { Windows } from './windows.ts'

const SHUTDOWN = 'The system is shutting down'

/** `fallback` is the folder to open when nothing names one. */
export function followTheSystem(windows: Windows, quit: Quit, fallback: () => string): void {
  const openFirst = (): void => {
    const { workspace } = parseArguments(process.argv, process.cwd())
    const remembered = windows.rememberedWorkspaces()
    const folders = workspace !== undefined ? [workspace] : remembered.length > 0 ? remembered : [fallback()]
    for (const folder of folders) windows.open(folder)
  }

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
    if (workspace === undefined) windows.front()?.focus()
    else windows.open(workspace)
  })
  // On a Mac an app lives on without windows, and a click in the dock asks for one; elsewhere the last one quits it.
  app.on('window-all-closed', () => {})
  app.on('activate', () => {
    if (windows.count === 0) openFirst()
  })
  openFirst()
}

/** A window's own part in it. */
export function followWindow(window: BrowserWindow, isLast: () => boolean, quit: Quit): void {
  window.on('close', (event) => {
    if (process.platform === 'darwin' || !isLast()) return
    event.preventDefault()
    app.quit()
  })
  window.on('session-end', () => void quit.now(SHUTDOWN))
}
