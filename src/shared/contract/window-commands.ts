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
  'new-workflow': { title: 'New workflow…', group: 'File', shortcut: '$mod+n', desktopOnly: true },
  save: { title: 'Save', group: 'File', shortcut: '$mod+s' },
  'save-as': { title: 'Save as…', group: 'File', shortcut: '$mod+Shift+s' },
  'rename-workflow': { title: 'Rename workflow…', group: 'File' },
  'delete-workflow': { title: 'Delete workflow…', group: 'File' },
  'open-fixtures': { title: 'Open fixtures', group: 'File' },
  'open-args-schema': { title: 'Open args schema', group: 'File' },
  'compare-saved': { title: 'Compare with the saved file', group: 'File' },
  'compare-script': { title: 'Compare script with…', group: 'File' },
  settings: { title: 'Settings', group: 'File', shortcut: '$mod+,' },
  'close-tab': { title: 'Close tab', group: 'File', shortcut: '$mod+w', desktopOnly: true },
  'dry-run': { title: 'Dry run', group: 'Run', shortcut: '$mod+Enter' },
  'dry-run-options': { title: 'Dry run options…', group: 'Run', shortcut: '$mod+Alt+Enter' },
  'toggle-dry-run-on-save': { title: 'Dry run on save: on or off', group: 'Run' },
  run: { title: 'Run…', group: 'Run', shortcut: '$mod+Shift+Enter' },
  'pause-run': { title: 'Pause', group: 'Run', shortcut: 'F8' },
  'continue-run': { title: 'Continue', group: 'Run', shortcut: 'Shift+F8' },
  'retry-agent': { title: 'Retry', group: 'Run', shortcut: 'F9' },
  'skip-agent': { title: 'Skip', group: 'Run', shortcut: 'Shift+F9' },
  'stop-agent': { title: 'Stop agent', group: 'Run', shortcut: '$mod+F9' },
  'cancel-run': { title: 'Cancel run', group: 'Run' },
  'resume-run': { title: 'Resume…', group: 'Run' },
  'compare-runs': { title: 'Compare with another run…', group: 'Run' },
  'export-run': { title: 'Export run as JSON Lines', group: 'Run' },
  'export-report': { title: 'Export run as HTML report', group: 'Run' },
  'save-run-script': { title: 'Save the run’s script as a workflow…', group: 'Run' },
  'import-run': { title: 'Import run…', group: 'Run' },
  'quick-open': { title: 'Quick open', group: 'Go', shortcut: '$mod+p' },
  'next-tab': { title: 'Next tab', group: 'Go', shortcut: 'Control+PageDown' },
  'previous-tab': { title: 'Previous tab', group: 'Go', shortcut: 'Control+PageUp' },
  'show-workflows': { title: 'Go to Workflows', group: 'Go' },
  'show-runs': { title: 'Go to Runs', group: 'Go' },
  'search-runs': { title: 'Search runs', group: 'Go', shortcut: '$mod+Shift+f' },
  'focus-panel': { title: 'Go to the next part of the window', group: 'Go', shortcut: 'F6' },
  'command-palette': { title: 'Command palette', group: 'View', shortcut: '$mod+Shift+p' },
  'toggle-timeline': { title: 'Show or hide the timeline', group: 'View', shortcut: '$mod+Shift+y' },
  'toggle-theme': { title: 'Switch theme', group: 'View' },
  shortcuts: { title: 'Keyboard shortcuts', group: 'Help', shortcut: 'Shift+?' },
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
