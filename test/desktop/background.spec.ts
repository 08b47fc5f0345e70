import { expect, test } from '../support/app/fixtures.ts'
import { answerMessageBoxes } from '../support/electron/dialogs.ts'
import type { DesktopApp } from '../support/electron/launch-desktop.ts'
import { agentsOf, withLiveRun } from '../support/electron/live-run.ts'
import { recordDesktop } from '../support/electron/record-desktop.ts'
import { WindowPage } from '../support/pages/window-page.ts'

const KEEP = 0
const CANCEL = 1
const STAY = 2

const closeWindow = ({ electron }: DesktopApp): Promise<void> =>
  electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())

const countWindows = ({ electron }: DesktopApp): Promise<number> =>
  electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)

test('a run goes on in the tray without a window, its end is told, and a click shows it', async ({
  home,
  launchInWindow,
}) => {
  const { app, window, openGate } = await withLiveRun(home, launchInWindow)
  const desktop = await recordDesktop(app.electron)
  const asked = await answerMessageBoxes(app.electron, [STAY, KEEP])
  await closeWindow(app)
  await expect.poll(asked).toEqual(['A run is still live.'])
  await app.electron.evaluate(() => new Promise(setImmediate))
  expect(await countWindows(app)).toBe(1)

  await closeWindow(app)
  await expect.poll(() => countWindows(app)).toBe(0)
  expect(agentsOf(home)).toHaveLength(2)
  await expect.poll(desktop.tray).toContainEqual(expect.stringMatching(/^two-steps: running/))
  await desktop.clickTray('Pause')
  await expect.poll(desktop.tray).toContainEqual(expect.stringMatching(/^two-steps: paused/))
  await desktop.clickTray('Continue')
  await expect.poll(desktop.tray).toContainEqual(expect.stringMatching(/^two-steps: running/))

  openGate()
  const notice = { title: 'two-steps', body: expect.stringMatching(/^Completed, 3 agents · \d+ s$/) }
  await expect.poll(desktop.notices).toEqual([notice])
  expect(await desktop.badge()).toBe(1)
  await expect.poll(desktop.tray).toContain('No live runs')
  const opened = app.electron.waitForEvent('window')
  await desktop.clickNotice()
  const again = new WindowPage(await opened)
  await expect(again.run.status.first()).toContainText('completed, 3 agents')
  expect(await desktop.badge()).toBe(0)
  await expect.poll(desktop.tray).toBeUndefined()
  expect(window.page.isClosed()).toBe(true)
})

test('"cancel them and quit" at closing leaves no agent', async ({ home, launchInWindow }) => {
  const { app } = await withLiveRun(home, launchInWindow)
  await answerMessageBoxes(app.electron, [CANCEL])
  await closeWindow(app)
  expect(await app.exited).toEqual({ code: 0, signal: null })
  expect(agentsOf(home)).toEqual([])
})
