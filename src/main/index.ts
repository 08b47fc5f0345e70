// Entry of the desktop app: puts a host, windows and a menu together.

import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { app } from 'electron'
import { locateApp, locateUser } from '../host/index.ts'
import { declareAppScheme, serveAppScheme } from './app-protocol.ts'
import { preloadFile } from './app-window.ts'
import { askAboutRuns, tellStartFailure } from './dialogs.ts'
import { guardAllContents, guardSession } from './guards.ts'
import { keepHost } from './keep-host.ts'
import { answerCalls } from './ipc.ts'
import { followTheSystem, followWindow } from './lifecycle.ts'
import { createLogFile } from './log-file.ts'
import { installMenu } from './menu-actions.ts'
import { openHost } from './open-host.ts'
import { createQuit } from './quit.ts'
import { Windows } from './windows.ts'

const places = locateApp(__dirname)
const { dataDir, configDir } = locateUser(undefined, process.env, process.cwd())
const logger = createLogFile(join(dataDir, 'logs', 'main.log'))

// Chromium's own files live in the data folder, so that one data folder is one app: the lock below goes by this path.
const profile = join(dataDir, 'electron')
mkdirSync(profile, { recursive: true, mode: 0o700 })
app.setPath('userData', profile)

// No data is handed over: argv comes by itself, and data in the lock is what breaks it with many arguments.
if (app.requestSingleInstanceLock()) start()
else app.exit(0)

function start(): void {
  declareAppScheme()
  guardAllContents()
  process.on('uncaughtExceptionMonitor', (error) => logger.error('The main process failed', { error }))
  process.on('unhandledRejection', (error) => logger.error('A promise was rejected and nobody listened', { error }))
  void app.whenReady().then(run).catch(giveUp)
}

async function run(): Promise<void> {
  guardSession()
  serveAppScheme(places.renderer)
  const host = await keepHost({
    open: () =>
      openHost({
        dataDir,
        configDir,
        bundledWorkflows: places.bundledWorkflows,
        workers: places.workers,
        version: app.getVersion(),
        logger,
        env: process.env,
      }),
    onReplaced: () => windows.reloadAll(),
    onLost: giveUp,
  })
  const windows = new Windows({
    stateFile: join(dataDir, 'windows.json'),
    preload: preloadFile(__dirname),
    openSession: (workspace, push) => host.openSession(workspace, push),
    onOpened: (window) => followWindow(window, () => windows.count === 1, quit),
    logger,
  })
  const quit = createQuit({
    liveRuns: () => host.liveRuns(),
    ask: (liveRuns) => askAboutRuns(windows.front()?.window, liveRuns),
    whenQuiet: () => host.whenQuiet(),
    async cleanUp(reason) {
      windows.save()
      await host.close(reason)
    },
    end: () => app.exit(0),
    onError: (error) => logger.error('Quitting met an error', { error }),
  })
  answerCalls((contents) => windows.ofContents(contents)?.session(), logger)
  installMenu(windows, dataDir)
  followTheSystem(windows, quit, defaultWorkspace)
}

function giveUp(error: unknown): void {
  logger.error('The app could not go on', { error })
  tellStartFailure(dataDir, error)
  app.exit(1)
}

/** The folder the app was started in; an app started from a desktop stands in none that means anything. */
function defaultWorkspace(): string {
  const cwd = process.cwd()
  return app.isPackaged || cwd === '/' ? homedir() : cwd
}
