// The shortcut of an action, for menus and tooltips.

import { WINDOW_COMMANDS, type WindowCommand, type WindowCommandInfo } from '../../shared/index.ts'

export function commandShortcut(id: WindowCommand): string | undefined {
  return WINDOW_COMMANDS.find((command) => command.id === id)?.shortcut
}

/** The shortcut where this page runs: a browser keeps some keys for itself. */
export function shortcutHere({ shortcut, desktopOnly }: WindowCommandInfo): string | undefined {
  return desktopOnly === true && globalThis.window?.weft === undefined ? undefined : shortcut
}
