// Ties what the app knows of runs to tray, badge and notifications.

import { app, type BrowserWindow } from 'electron'
import type { HostPush, RunRow } from '../../shared/index.ts'
import { askAboutCancel } from '../dialogs.ts'
import type { WindowSession } from '../host-link.ts'
import type { Logger } from '../logger.ts'
import type { Windows } from '../windows.ts'
import { Desktop, type DesktopIcons } from './desktop.ts'
import { Notifier } from './notifier.ts'
import { RunBoard } from './run-board.ts'
import { describeAll, nameOf } from './run-words.ts'
import { buildTrayMenu } from './tray-menu.ts'

export interface FollowRunsOptions {
  windows: Windows
  openSession(push: (push: HostPush) => void): Promise<WindowSession>
  icons: DesktopIcons
  /** Opens a window when none is open, else brings one to the front. */
  openApp(): void
  /** No window and no live run is left, or one of them is back. */
  onIdle(idle: boolean): void
  logger: Logger
}

/** What of the settings is about the app itself. */
export interface AppSettings {
  notifications?: boolean
  updates?: { mode?: 'off' | 'notify' | 'auto'; channel?: 'latest' | 'beta' }
}

export interface RunFollower {
  /** A host has been found, or another one. */
  connect(): Promise<void>
  /** The user's settings, as far as they are set. */
  settings(): Promise<AppSettings>
  /** To be called when a window opened or closed. */
  windowsChanged(): void
  close(): void
}

export function followRuns(options: FollowRunsOptions): RunFollower {
  const { windows, logger } = options
  const desktop = new Desktop(options.icons, logger)

  const settings = async (): Promise<AppSettings> => {
    const reply = await board.call('settings.get', {})
    // Checked by the host against its schema.
    return reply?.ok ? (reply.value as { settings: AppSettings }).settings : {}
  }
  const openRun = (row: RunRow): void => windows.open(row.workspace).open({ runId: row.runId })
  const notifier = new Notifier({
    isInFront: (workspace) => windows.of(workspace)?.window.isFocused() === true,
    wanted: async () => (await settings()).notifications !== false,
    show: (notice) => desktop.notify(notice),
    openRun,
    openWish: ({ workspace }) => void windows.open(workspace),
    setBadge: (count) => desktop.setBadge(count),
  })
  const cancel = async (row: RunRow): Promise<void> => {
    const asked = await askAboutCancel(windows.of(row.workspace)?.window, nameOf(row), row.agents)
    if (asked) await board.call('run.cancel', { runId: row.runId })
  }
  const draw = (): void => {
    const live = board.live()
    const hidden = windows.count === 0
    const template = buildTrayMenu(live, {
      openApp: options.openApp,
      openRun,
      pause: ({ runId }) => void board.call('run.pause', { runId }),
      continue: ({ runId }) => void board.call('run.continue', { runId }),
      cancel: (row) => void cancel(row),
      quit: () => app.quit(),
    })
    desktop.showTray(hidden || live.length > 0 ? template : undefined, describeAll(live), options.openApp)
    options.onIdle(hidden && live.length === 0)
  }
  const onError = (error: unknown): void => logger.warn('What the app asked of the host failed', { error })
  const board = new RunBoard({
    openSession: (push) => options.openSession(push),
    onChange() {
      notifier.liveChanged(board.live(), board.wishes)
      draw()
    },
    onEnded: (row) => void notifier.ended(row).catch(onError),
    onAsked: (row, question) => void notifier.asked(row, question).catch(onError),
    onWish: (approval) => void notifier.wished(approval).catch(onError),
    onError,
  })
  const onFocus = (_event: unknown, window: BrowserWindow): void => {
    const workspace = windows.ofContents(window.webContents)?.workspace
    if (workspace !== undefined) notifier.looked(workspace)
  }
  app.on('browser-window-focus', onFocus)
  return {
    connect: () => board.connect().catch(onError),
    settings,
    windowsChanged: draw,
    close() {
      app.off('browser-window-focus', onFocus)
      board.close()
      desktop.close()
    },
  }
}
