// One app for all tests of a file, where they leave nothing behind that the next would notice: a start takes seconds.

import { launchDesktop, type DesktopApp } from '../electron/launch-desktop.ts'
import { expect, test } from './fixtures.ts'
import { makeHome, type Home } from './home.ts'
import { processesWith } from './processes.ts'

/** Answers the app once tests run. Nothing may have gone wrong unseen in any of them, or be left running after the last. */
export function shareApp(): () => DesktopApp {
  let home: Home | undefined
  let app: DesktopApp | undefined
  test.beforeAll(async () => {
    home = makeHome()
    app = await launchDesktop({ home })
  })
  test.afterEach(() => expect(app?.problems.splice(0)).toEqual([]))
  test.afterAll(async () => {
    await app?.close()
    const { mark } = home ?? { mark: '' }
    if (mark !== '') await expect.poll(() => processesWith(mark), { message: 'no process is left' }).toEqual([])
    home?.remove()
  })
  return () => {
    if (app === undefined) throw new Error('the app is there in tests only')
    return app
  }
}
