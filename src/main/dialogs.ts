// What the app asks and tells outside of its pages.

import { dialog, type BrowserWindow, type MessageBoxOptions } from 'electron'
import { plural } from '../shared/index.ts'
import type { CloseAnswer } from './closing.ts'
import type { FileDialogs } from './file-dialogs.ts'
import type { QuitAnswer } from './quit.ts'

const QUIT_ANSWERS: readonly QuitAnswer[] = ['wait', 'cancel', 'stay']
const CLOSE_ANSWERS: readonly CloseAnswer[] = ['keep', 'cancel', 'stay']
const KEEPS = 'A cancelled run keeps the results of its finished agents and can be resumed.'

/** Asks what becomes of live runs when the app ends. */
export async function askAboutRuns(parent: BrowserWindow | undefined, liveRuns: number): Promise<QuitAnswer> {
  const response = await ask(parent, {
    message: areLive(liveRuns),
    detail: KEEPS,
    buttons: ['Quit when they end', 'Cancel them and quit', 'Stay'],
    defaultId: 0,
    cancelId: 2,
  })
  return QUIT_ANSWERS[response] ?? 'stay'
}

/** Asks what becomes of live runs when the last window is closed. */
export async function askAboutClosing(parent: BrowserWindow, liveRuns: number): Promise<CloseAnswer> {
  const response = await ask(parent, {
    message: areLive(liveRuns),
    // Not every desktop shows a tray; a second start of the app works on all of them.
    detail: `In the tray they go on without a window; starting Weft again brings one back. ${KEEPS}`,
    buttons: ['Keep running in the tray', 'Cancel them and quit', 'Stay'],
    defaultId: 0,
    cancelId: 2,
  })
  return CLOSE_ANSWERS[response] ?? 'stay'
}

/** Whether a run, named, shall really be cancelled. */
export async function askAboutCancel(
  parent: BrowserWindow | undefined,
  name: string,
  agents: number,
): Promise<boolean> {
  const response = await ask(parent, {
    message: `Cancel ${name}?`,
    detail: `Its agents are stopped (${plural(agents, 'agent')} so far). ${KEEPS}`,
    buttons: ['Cancel run', 'Let it run'],
    defaultId: 1,
    cancelId: 1,
  })
  return response === 0
}

/** Whether the user wants this new version of the app. */
export async function askAboutUpdate(parent: BrowserWindow | undefined, version: string): Promise<boolean> {
  const response = await ask(parent, {
    message: `Weft ${version} is available.`,
    detail: 'It is downloaded now and installed when you quit. Settings say whether Weft looks for updates.',
    buttons: ['Download', 'Later'],
    defaultId: 0,
    cancelId: 1,
  })
  return response === 0
}

export async function tell(parent: BrowserWindow | undefined, message: string, detail: string): Promise<void> {
  await ask(parent, { type: 'info', message, detail, buttons: ['OK'] })
}

/** The button that was pressed. */
async function ask(parent: BrowserWindow | undefined, question: MessageBoxOptions): Promise<number> {
  const options: MessageBoxOptions = { type: 'question', noLink: true, ...question }
  const { response } =
    parent === undefined ? await dialog.showMessageBox(options) : await dialog.showMessageBox(parent, options)
  return response
}

const areLive = (runs: number): string => (runs === 1 ? 'A run is still live.' : `${runs} runs are still live.`)

/** The system's file dialogs over this window. */
export function fileDialogs(parent: BrowserWindow): FileDialogs {
  return {
    async open(options) {
      const { canceled, filePaths } = await dialog.showOpenDialog(parent, { ...options, properties: ['openFile'] })
      return canceled ? undefined : filePaths[0]
    },
    async save(options) {
      const { canceled, filePath } = await dialog.showSaveDialog(parent, options)
      return canceled || filePath === '' ? undefined : filePath
    },
    async refuse(message) {
      await dialog.showMessageBox(parent, { type: 'warning', message: 'This file was not taken.', detail: message })
    },
  }
}

/** The folder that the user picks; undefined for none. */
export async function askForFolder(parent: BrowserWindow | undefined): Promise<string | undefined> {
  const options = { title: 'Open Folder', properties: ['openDirectory' as const, 'createDirectory' as const] }
  const { filePaths } =
    parent === undefined ? await dialog.showOpenDialog(options) : await dialog.showOpenDialog(parent, options)
  return filePaths[0]
}

/** Tells why the app can't start. Returns once the user has read it. */
export function tellStartFailure(dataDir: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error)
  dialog.showErrorBox('Weft could not start', `${reason}\n\nData folder: ${dataDir}`)
}
