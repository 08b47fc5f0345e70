// The tray's menu: the live runs with what can be done about them, and the way back into the app.

import type { MenuItemConstructorOptions } from 'electron'
import type { RunRow } from '../../shared/index.ts'
import type { LiveRun } from './run-board.ts'
import { describeLive } from './run-words.ts'

export interface TrayActions {
  openApp(): void
  openRun(row: RunRow): void
  pause(row: RunRow): void
  continue(row: RunRow): void
  /** Asks before it does. */
  cancel(row: RunRow): void
  quit(): void
}

/** More would not fit on a screen. */
const MAX_RUNS = 15

export function buildTrayMenu(live: readonly LiveRun[], actions: TrayActions): MenuItemConstructorOptions[] {
  const separator: MenuItemConstructorOptions = { type: 'separator' }
  const shown = live.slice(0, MAX_RUNS)
  const more = live.length - shown.length
  return [
    ...(live.length === 0 ? [{ label: 'No live runs', enabled: false }] : []),
    ...shown.map((run) => ({
      label: describeLive(run).replaceAll('&', '&&'),
      submenu: [
        { label: 'Open', click: () => actions.openRun(run.row) },
        run.row.status === 'paused'
          ? { label: 'Continue', click: () => actions.continue(run.row) }
          : { label: 'Pause', click: () => actions.pause(run.row) },
        { label: 'Cancel run…', click: () => actions.cancel(run.row) },
      ],
    })),
    ...(more > 0 ? [{ label: `${more} more: open Weft to see them`, enabled: false }] : []),
    separator,
    { label: 'Open Weft', click: () => actions.openApp() },
    { label: 'Quit Weft', click: () => actions.quit() },
  ]
}
