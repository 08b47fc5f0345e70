import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { expect, test } from '../support/app/fixtures.ts'
import type { Home } from '../support/app/home.ts'
import { takeProblems } from '../support/app/running-app.ts'
import { callHost } from '../support/electron/call-host.ts'
import { answerMessageBoxes } from '../support/electron/dialogs.ts'
import type { DesktopApp } from '../support/electron/launch-desktop.ts'

const root = resolve(import.meta.dirname, '../..')
// The package's main export is the path of its program; its types describe what the program itself offers.
const electronProgram = createRequire(import.meta.url)('electron') as string

/** Starts the app once more on the same home, as a user would who clicks its icon again. */
function startAgain(home: Home, args: string[]): Promise<number | null> {
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const child = spawn(electronProgram, [...sandbox, root, ...args], {
    env: home.env,
    stdio: 'ignore',
    cwd: home.workspace,
  })
  return new Promise((done) => child.once('exit', (code) => done(code)))
}

const titlesOf = ({ electron }: DesktopApp): Promise<string[]> =>
  electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .map((window) => window.getTitle())
      .sort(),
  )

test('a second start with many arguments hands over to the first and ends', async ({ home, launchInWindow }) => {
  const app = await launchInWindow()
  const args = Array.from({ length: 12 }, (_, index) => `--argument-${index}=${index}`)
  expect(await startAgain(home, args)).toBe(0)
  expect(await app.page.evaluate(() => window.weft.call('host.status', {}))).toMatchObject({ ok: true })
  expect(await titlesOf(app)).toEqual(['workspace – Weft'])
})

test('a second start with another folder opens it in a window of its own', async ({ home, launchInWindow }) => {
  const app = await launchInWindow()
  const other = join(home.workspace, 'other')
  mkdirSync(other)
  const opened = app.electron.waitForEvent('window')
  expect(await startAgain(home, [`--workspace=${other}`])).toBe(0)
  await opened
  await expect.poll(() => titlesOf(app)).toEqual(['other – Weft', 'workspace – Weft'])
  expect(await startAgain(home, [`--workspace=${other}`])).toBe(0)
  expect(await titlesOf(app)).toEqual(['other – Weft', 'workspace – Weft'])
})

test('quitting twice at once ends the app once, with exit code 0', async ({ launchInWindow }) => {
  const app = await launchInWindow()
  await app.electron.evaluate(({ app: electronApp }) => {
    electronApp.quit()
    electronApp.quit()
  })
  expect(await app.exited).toEqual({ code: 0, signal: null })
})

test('closing the last window ends the app', async ({ launchInWindow }) => {
  const app = await launchInWindow()
  await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
  expect(await app.exited).toEqual({ code: 0, signal: null })
})

test('a signal ends the app in order', async ({ launchInWindow }) => {
  const app = await launchInWindow()
  app.electron.process().kill('SIGTERM')
  expect(await app.exited).toEqual({ code: 0, signal: null })
})

test('a page that crashed is loaded again once, then the user is asked', async ({ launchInWindow }) => {
  const app = await launchInWindow()
  const asked = await answerMessageBoxes(app.electron, [0])
  const crash = () =>
    app.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
    )
  const isAlive = async () => (await callHost(app.electron, 'host.status')) !== undefined
  const crashed = app.page.waitForEvent('crash')
  await crash()
  await crashed
  await expect.poll(isAlive).toBe(true)
  expect(await asked()).toEqual([])
  await crash()
  await expect.poll(asked).toEqual(['The window crashed again.'])
  await expect.poll(isAlive).toBe(true)
  takeProblems(app.page)
})

test('windows come back where they were, on the folder they showed', async ({ launchInWindow }) => {
  const first = await launchInWindow()
  await first.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.setBounds({ x: 40, y: 60, width: 900, height: 650 }),
  )
  await first.close()
  const second = await launchInWindow([])
  expect(await titlesOf(second)).toEqual(['workspace – Weft'])
  const bounds = await second.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.getNormalBounds(),
  )
  expect(bounds).toEqual({ x: 40, y: 60, width: 900, height: 650 })
})
