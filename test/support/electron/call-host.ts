// Asks the host through the first window's page, past Playwright: it takes a page that crashed for gone for ever.

import type { ElectronApplication } from '@playwright/test'
import type { HostCallName, HostCallResults } from '../../../src/shared/index.ts'

/** Undefined while the page is dead, loads, or is refused. */
export async function callHost<Name extends HostCallName>(
  electron: ElectronApplication,
  name: Name,
  params: object = {},
): Promise<HostCallResults[Name] | undefined> {
  const value = await electron.evaluate(
    async ({ BrowserWindow }, [call, json]) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents
      if (contents === undefined || contents.isCrashed() || contents.isLoading()) return undefined
      const answer = contents.executeJavaScript(
        `window.weft.call('${call}', ${json}).then((reply) => (reply.ok ? reply.value : undefined))`,
      )
      // A page that dies meanwhile never answers.
      return Promise.race([answer, new Promise((done) => setTimeout(done, 1000))])
    },
    [name, JSON.stringify(params)] as const,
  )
  // What the host answers to this call.
  return value as HostCallResults[Name] | undefined
}
