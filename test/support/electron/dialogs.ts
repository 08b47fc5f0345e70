// Answers the system's dialogs, which no test can click, and notes what they asked.

import type { ElectronApplication } from '@playwright/test'

interface Asked {
  asked: string[]
  answers: number[]
}

/**
 * From now on message boxes are answered with these buttons (by index), one after the other; one that has no answer stays
 * open. Answers what was asked so far.
 */
export async function answerMessageBoxes(
  electron: ElectronApplication,
  answers: number[],
): Promise<() => Promise<string[]>> {
  await electron.evaluate(({ dialog }, given) => {
    const state: Asked = { asked: [], answers: given }
    Object.assign(globalThis, { messageBoxesForTest: state })
    // Called with or without a window in front; the options come last.
    const answer = (...parameters: unknown[]) => {
      const options = parameters.at(-1) as { message: string }
      state.asked.push(options.message)
      const response = state.answers.shift()
      return response === undefined ? new Promise(() => {}) : Promise.resolve({ response, checkboxChecked: false })
    }
    dialog.showMessageBox = answer as typeof dialog.showMessageBox
  }, answers)
  // Put there a moment ago.
  return () =>
    electron.evaluate(() => (globalThis as unknown as { messageBoxesForTest: Asked }).messageBoxesForTest.asked)
}
