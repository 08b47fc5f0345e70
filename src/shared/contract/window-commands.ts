// Every action of the window by name: the one list that the page, its command palette, its shortcuts sheet and the
// application menu are made from. What an action does is the page's business (src/renderer/app/commands.ts).

export type CommandGroup = 'File' | 'Run' | 'Go' | 'View' | 'Help'

interface CommandWords {
  title: string
  group: CommandGroup
  /** As tinykeys takes it; `$mod` is Cmd on a Mac and Ctrl elsewhere. */
  shortcut?: string
  /** Browsers keep these keys for themselves: only the desktop window has them. */
  desktopOnly?: true
}

const words = {
  save: { title: 'Save', group: 'File', shortcut: '$mod+s' },
  'close-tab': { title: 'Close tab', group: 'File', shortcut: '$mod+w', desktopOnly: true },
  'dry-run': { title: 'Dry run', group: 'Run', shortcut: '$mod+Enter' },
  run: { title: 'Run…', group: 'Run', shortcut: '$mod+Shift+Enter' },
  'cancel-run': { title: 'Cancel run', group: 'Run' },
  'quick-open': { title: 'Quick open', group: 'Go', shortcut: '$mod+p' },
  'next-tab': { title: 'Next tab', group: 'Go', shortcut: 'Control+PageDown' },
  'previous-tab': { title: 'Previous tab', group: 'Go', shortcut: 'Control+PageUp' },
  'show-workflows': { title: 'Go to Workflows', group: 'Go' },
  'show-runs': { title: 'Go to Runs', group: 'Go' },
  'focus-panel': { title: 'Go to the next part of the window', group: 'Go', shortcut: 'F6' },
  'command-palette': { title: 'Command palette', group: 'View', shortcut: '$mod+Shift+p' },
  'toggle-theme': { title: 'Switch theme', group: 'View' },
} as const satisfies Record<string, CommandWords>

/** What a menu item asks the page to do: the same as the page's own shortcut or palette entry of that name. */
export type WindowCommand = keyof typeof words

export interface WindowCommandInfo extends CommandWords {
  id: WindowCommand
}

/** In the order in which menus and sheets show them. */
export const WINDOW_COMMANDS: readonly WindowCommandInfo[] = Object.entries<CommandWords>(words).map(
  ([id, command]) => ({
    // The keys of `words`.
    id: id as WindowCommand,
    ...command,
  }),
)
