// The application menu: every action of the window with its shortcut. Items of the page are done by the page.

import { basename } from 'node:path'
import type { MenuItemConstructorOptions } from 'electron'
import { WINDOW_COMMANDS, type CommandGroup, type WindowCommand } from '../shared/index.ts'
import { toAccelerator } from './accelerators.ts'

export interface MenuActions {
  openFolder(): void
  openFile(): void
  openRecent(folder: string): void
  clearRecent(): void
  closeWindow(): void
  /** Hands a command to the page of the window in front. */
  command(command: WindowCommand): void
  showLogs(): void
  checkForUpdates(): void
}

export interface MenuState {
  /** As in `process.platform`. */
  platform: string
  /** Folders, newest first. */
  recent: readonly string[]
  isEnabled(command: WindowCommand): boolean
  /** False while no window is open: nothing is there that could do a command. */
  hasWindow: boolean
}

/** Stands before the name of a command in the id of its item. */
export const COMMAND_ID = 'command:'
export const WINDOW_ITEM_IDS = ['open-file', 'close-window'] as const

const separator: MenuItemConstructorOptions = { type: 'separator' }

export function buildMenu(actions: MenuActions, state: MenuState): MenuItemConstructorOptions[] {
  const onMac = state.platform === 'darwin'
  const commandsOf = (group: CommandGroup): MenuItemConstructorOptions[] =>
    WINDOW_COMMANDS.filter((command) => command.group === group).map(({ id, title, shortcut }) => ({
      id: `${COMMAND_ID}${id}`,
      label: escapeLabel(title),
      enabled: state.hasWindow && state.isEnabled(id),
      click: () => actions.command(id),
      ...shown(shortcut),
    }))
  return [
    ...(onMac ? [{ role: 'appMenu' as const }] : []),
    { label: '&File', submenu: [...fileItems(actions, state, commandsOf('File'))] },
    { role: 'editMenu' },
    { label: '&Run', submenu: commandsOf('Run') },
    { label: '&Go', submenu: commandsOf('Go') },
    {
      label: '&View',
      submenu: [
        ...commandsOf('View'),
        separator,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
      ],
    },
    // Not the ready-made one: its Close takes the shortcut that closes a tab here.
    { label: '&Window', role: 'window', submenu: [{ role: 'minimize' }, { role: 'zoom' }] },
    {
      role: 'help',
      submenu: [
        ...commandsOf('Help'),
        separator,
        { label: 'Show logs', click: () => actions.showLogs() },
        { label: 'Check for updates…', click: () => actions.checkForUpdates() },
        separator,
        { role: 'reload' },
        { role: 'toggleDevTools' },
        ...(onMac ? [] : [separator, { role: 'about' as const }]),
      ],
    },
  ]
}

function fileItems(
  actions: MenuActions,
  { platform, recent, hasWindow }: MenuState,
  commands: readonly MenuItemConstructorOptions[],
): MenuItemConstructorOptions[] {
  return [
    { label: 'Open Folder…', accelerator: 'CmdOrCtrl+O', click: () => actions.openFolder() },
    {
      id: 'open-file',
      label: 'Open File…',
      accelerator: 'CmdOrCtrl+Shift+O',
      enabled: hasWindow,
      click: () => actions.openFile(),
    },
    {
      label: 'Open Recent',
      enabled: recent.length > 0,
      submenu: [
        ...recent.map((folder) => ({
          label: escapeLabel(`${basename(folder)} – ${folder}`),
          click: () => actions.openRecent(folder),
        })),
        separator,
        { label: 'Clear', click: () => actions.clearRecent() },
      ],
    },
    separator,
    ...commands,
    separator,
    {
      id: 'close-window',
      label: 'Close Window',
      accelerator: 'CmdOrCtrl+Shift+W',
      enabled: hasWindow,
      click: () => actions.closeWindow(),
    },
    ...(platform === 'darwin' ? [] : [separator, { role: 'quit' as const }]),
  ]
}

/** The page listens for its shortcuts itself; the menu only shows them (on a Mac it also takes what the page leaves). */
function shown(shortcut: string | undefined): Pick<MenuItemConstructorOptions, 'accelerator' | 'registerAccelerator'> {
  const accelerator = shortcut === undefined ? undefined : toAccelerator(shortcut)
  return accelerator === undefined ? {} : { accelerator, registerAccelerator: false }
}

/** A single & would underline the next letter. */
const escapeLabel = (text: string): string => text.replaceAll('&', '&&')
