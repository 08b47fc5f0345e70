// The application menu: every action of the window with its shortcut. Items of the page are done by the page.

import type { MenuItemConstructorOptions } from 'electron'
import type { WindowCommand } from '../shared/index.ts'

export interface MenuActions {
  openFolder(): void
  closeWindow(): void
  /** Hands a command to the page of the window in front. */
  command(command: WindowCommand): void
  showLogs(): void
}

/** `platform` as in `process.platform`. */
export function buildMenu(actions: MenuActions, platform: string): MenuItemConstructorOptions[] {
  const onMac = platform === 'darwin'
  const item = (label: string, accelerator: string | undefined, click: () => void): MenuItemConstructorOptions => ({
    label,
    click,
    ...(accelerator !== undefined && { accelerator }),
  })
  const command = (label: string, accelerator: string | undefined, name: WindowCommand): MenuItemConstructorOptions =>
    item(label, accelerator, () => actions.command(name))
  const separator: MenuItemConstructorOptions = { type: 'separator' }

  return [
    ...(onMac ? [{ role: 'appMenu' as const }] : []),
    {
      label: '&File',
      submenu: [
        item('Open Folder…', 'CmdOrCtrl+O', actions.openFolder),
        separator,
        command('Save', 'CmdOrCtrl+S', 'save'),
        separator,
        command('Close Tab', 'CmdOrCtrl+W', 'close-tab'),
        item('Close Window', 'CmdOrCtrl+Shift+W', actions.closeWindow),
        ...(onMac ? [] : [separator, { role: 'quit' as const }]),
      ],
    },
    { role: 'editMenu' },
    {
      label: '&Run',
      submenu: [
        command('Dry run', 'CmdOrCtrl+Enter', 'dry-run'),
        command('Run…', 'CmdOrCtrl+Shift+Enter', 'run'),
        command('Cancel run', undefined, 'cancel-run'),
      ],
    },
    {
      label: '&View',
      submenu: [
        command('Command palette…', 'CmdOrCtrl+Shift+P', 'command-palette'),
        command('Quick open…', 'CmdOrCtrl+P', 'quick-open'),
        separator,
        command('Workflows', undefined, 'show-workflows'),
        command('Runs', undefined, 'show-runs'),
        command('Next tab', 'Ctrl+PageDown', 'next-tab'),
        command('Previous tab', 'Ctrl+PageUp', 'previous-tab'),
        separator,
        command('Switch theme', undefined, 'toggle-theme'),
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
        item('Show logs', undefined, actions.showLogs),
        { role: 'reload' },
        { role: 'toggleDevTools' },
        ...(onMac ? [] : [separator, { role: 'about' as const }]),
      ],
    },
  ]
}
