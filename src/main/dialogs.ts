// What the app asks and tells outside of its pages.

import { dialog, type BrowserWindow } from 'electron'
import type { QuitAnswer } from './quit.ts'

const ANSWERS: readonly QuitAnswer[] = ['wait', 'cancel', 'stay']

/** Asks what becomes of live runs when the app ends. */
export async function askAboutRuns(parent: BrowserWindow | undefined, liveRuns: number): Promise<QuitAnswer> {
  const options = {
    type: 'question' as const,
    message: liveRuns === 1 ? 'A run is still live.' : `${liveRuns} runs are still live.`,
    detail: 'A cancelled run keeps the results of its finished agents and can be resumed.',
    buttons: ['Quit when they end', 'Cancel them and quit', 'Stay'],
    defaultId: 0,
    cancelId: 2,
    noLink: true,
  }
  const { response } =
    parent === undefined ? await dialog.showMessageBox(options) : await dialog.showMessageBox(parent, options)
  return ANSWERS[response] ?? 'stay'
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
