import { expect, test } from '../support/app/fixtures.ts'
import { takeProblems } from '../support/app/running-app.ts'
import { callHost } from '../support/electron/call-host.ts'
import { answerMessageBoxes } from '../support/electron/dialogs.ts'
import type { DesktopApp } from '../support/electron/launch-desktop.ts'
import { agentsOf, withLiveRun } from '../support/electron/live-run.ts'
import { WindowPage } from '../support/pages/window-page.ts'

const WAIT = 0
const CANCEL = 1
const STAY = 2

const quit = ({ electron }: DesktopApp): Promise<void> => electron.evaluate(({ app }) => app.quit())

test('quitting with a live run asks once; "stay" keeps both', async ({ home, launchInWindow }) => {
  const { app, window, openGate } = await withLiveRun(home, launchInWindow)
  const asked = await answerMessageBoxes(app.electron, [STAY])
  await quit(app)
  await expect.poll(asked).toEqual(['A run is still live.'])
  openGate()
  await expect(window.run.status).toContainText('completed, 3 agents')
})

test('"quit when they end" ends the app after the run, whose result is kept', async ({ home, launchInWindow }) => {
  const { app, openGate } = await withLiveRun(home, launchInWindow)
  const asked = await answerMessageBoxes(app.electron, [WAIT])
  await quit(app)
  await expect.poll(asked).toHaveLength(1)
  expect(agentsOf(home)).toHaveLength(2)
  openGate()
  expect(await app.exited).toEqual({ code: 0, signal: null })
  const again = new WindowPage((await launchInWindow()).page)
  await expect(again.runEntry('two-steps', 'completed')).toBeVisible()
})

test('"cancel them and quit", asked for twice, cleans up once and leaves no agent', async ({
  home,
  launchInWindow,
}) => {
  const { app } = await withLiveRun(home, launchInWindow)
  await answerMessageBoxes(app.electron, [CANCEL])
  await app.electron.evaluate(({ app: electronApp }) => {
    electronApp.quit()
    setTimeout(() => electronApp.quit(), 50)
  })
  expect(await app.exited).toEqual({ code: 0, signal: null })
  expect(agentsOf(home)).toEqual([])
  const again = new WindowPage((await launchInWindow()).page)
  await expect(again.runEntry('two-steps', 'cancelled')).toBeVisible()
})

test('a crash of the page does not touch the run', async ({ home, launchInWindow }) => {
  const { app, openGate } = await withLiveRun(home, launchInWindow)
  const crashed = app.page.waitForEvent('crash')
  await app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
  )
  await crashed
  takeProblems(app.page)
  expect(agentsOf(home)).toHaveLength(2)
  openGate()
  const statuses = async () =>
    (await callHost(app.electron, 'run.list', {}))?.runs.map(({ workflow, status }) => `${workflow} ${status}`)
  await expect.poll(statuses).toEqual(['two-steps completed'])
})

test('when the app is killed its agents end within five seconds, and the run is found interrupted', async ({
  home,
  launchInWindow,
}) => {
  const { app } = await withLiveRun(home, launchInWindow)
  app.electron.process().kill('SIGKILL')
  await app.exited
  await expect.poll(() => agentsOf(home), { timeout: 5_000 }).toEqual([])
  const again = new WindowPage((await launchInWindow()).page)
  await expect(again.runEntry('two-steps', 'interrupted')).toBeVisible()
})
