// Entry of the desktop app: puts a host, windows and a menu together.

import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { app } from 'electron'
import { bridgeCommand, locateApp, locateUser } from '../host/index.ts'
import { openToolDoor } from '../tools/index.ts'
import { declareAppScheme, serveAppScheme } from './app-protocol.ts'
import { preloadFile } from './app-window.ts'
import { askAboutClosing, askAboutRuns, askAboutUpdate, fileDialogs, tell, tellStartFailure } from './dialogs.ts'
import { pickFile } from './file-dialogs.ts'
import { guardAllContents, guardSession } from './guards.ts'
import { keepHost } from './keep-host.ts'
import { answerCalls, answerMessages } from './ipc.ts'
import { followTheSystem, followWindow, openFirst } from './lifecycle.ts'
import { createLinger } from './linger.ts'
import { createLogFile } from './log-file.ts'
import { AppMenu } from './menu-actions.ts'
import { openHost } from './open-host.ts'
import { createQuit } from './quit.ts'
import { RecentFolders } from './recent-folders.ts'
import { followRuns } from './runs/follow-runs.ts'
import { loadUpdater, whyNoUpdates } from './updates/updater.ts'
import { createUpdates } from './updates/updates.ts'
import { Windows } from './windows.ts'

const places = locateApp(__dirname)
const { dataDir, configDir } = locateUser(undefined, process.env, process.cwd())
const onMac = process.platform === 'darwin'
const picture = (name: string): string => join(places.root, 'resources', name)
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
        bridge: bridgeCommand(places.root, process.execPath, true, dataDir),
        logger,
        env: process.env,
        tools: openToolDoor,
      }),
    onReplaced() {
      windows.reloadAll()
      void runs.connect()
    },
    onLost: giveUp,
  })
  const onError = (error: unknown): void => logger.error('The app met an error', { error })
  const recent = new RecentFolders(join(dataDir, 'recent.json'), onError)
  const windows = new Windows({
    stateFile: join(dataDir, 'windows.json'),
    preload: preloadFile(__dirname),
    icon: picture('icon.png'),
    openSession: (workspace, push) => host.openSession(workspace, push),
    onOpened(opened) {
      recent.add(opened.workspace)
      followWindow(opened, quit, {
        isLast: () => windows.count === 1,
        liveRuns: () => host.liveRuns(),
        ask: ({ window }, liveRuns) => askAboutClosing(window, liveRuns),
        onError,
      })
    },
    onCount() {
      menu.update()
      runs.windowsChanged()
    },
    logger,
  })
  const quit = createQuit({
    liveRuns: () => host.liveRuns(),
    ask: (liveRuns) => askAboutRuns(windows.front()?.window, liveRuns),
    whenQuiet: () => host.whenQuiet(),
    async cleanUp(reason) {
      windows.save()
      // First: what ends with the app is no news.
      runs.close()
      await host.close(reason)
    },
    end: () => app.exit(0),
    onError: (error) => logger.error('Quitting met an error', { error }),
  })
  const openApp = (): void => {
    const front = windows.front()
    if (front === undefined) openFirst(windows, defaultWorkspace)
    else front.focus()
  }
  const linger = createLinger(() => void quit.request())
  const runs = followRuns({
    windows,
    openSession: (push) => host.openSession(homedir(), push),
    icons: { tray: picture(onMac ? 'trayTemplate.png' : 'tray.png'), badge: picture('badge.png') },
    openApp,
    // On a Mac an app without windows is nothing unusual.
    onIdle: (idle) => linger(idle && !onMac),
    logger,
  })
  const updates = createUpdates({
    unable: whyNoUpdates(),
    async settings() {
      const { mode = 'notify', channel = 'latest' } = (await runs.settings()).updates ?? {}
      return { mode, channel }
    },
    load: () => loadUpdater(logger),
    ask: (version) => askAboutUpdate(windows.front()?.window, version),
    tell: (message, detail) => tell(windows.front()?.window, message, detail),
    onError,
  })
  const menu = new AppMenu({ windows, recent, dataDir, checkForUpdates: () => void updates.checkNow() })
  answerCalls((contents) => windows.ofContents(contents)?.session(), logger)
  answerMessages(
    {
      'weft:listening': (contents) => windows.ofContents(contents)?.listening(),
      'weft:commands': (contents, commands) => menu.enable(contents, commands),
      'weft:pick-file'(contents, request) {
        const window = windows.ofContents(contents)
        return window === undefined ? null : pickFile(request, window.workspace, fileDialogs(window.window))
      },
      'weft:act': (_contents, action) => menu.act(action),
    },
    logger,
  )
  followTheSystem(windows, quit, openApp)
  openFirst(windows, defaultWorkspace)
  await runs.connect()
  updates.start()
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
