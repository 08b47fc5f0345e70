// Every action of the window: its name, its shortcut, when it makes sense, what it does. Buttons aside, shortcuts, the
// palette and the application menu all come from here.

import type { WindowCommand } from '../../shared/index.ts'
import type { AppState } from '../state/app-state.ts'
import { neighbourTab } from '../state/tabs/tabs.ts'
import { isLiveStatus, viewStatus } from '../state/runs/run-view.ts'

export interface Command {
  id: WindowCommand | 'next-tab' | 'previous-tab' | 'focus-panel'
  title: string
  /** As tinykeys takes it. */
  shortcut?: string
  isEnabled(app: AppState): boolean
  run(app: AppState): void
}

const always = (): boolean => true

/** The path of the file that the active tab is about. */
function activePath(app: AppState): string | undefined {
  const tab = app.activeTab()
  return tab?.kind === 'file' || tab?.kind === 'dry' ? tab.path : undefined
}

function activeFile(app: AppState): string | undefined {
  const tab = app.activeTab()
  return tab?.kind === 'file' ? tab.path : undefined
}

function activeLiveRun(app: AppState) {
  const tab = app.activeTab()
  if (tab?.kind !== 'run') return undefined
  const session = app.sessions.of(tab)
  return session !== undefined && isLiveStatus(viewStatus(session.view.getState())) ? tab : undefined
}

function focusNav(name: string): void {
  document.querySelector<HTMLElement>(`nav[aria-label="${name}"] h2 button`)?.click()
}

export const COMMANDS: readonly Command[] = [
  {
    id: 'dry-run',
    title: 'Dry run',
    shortcut: '$mod+Enter',
    isEnabled: (app) => activePath(app) !== undefined,
    run(app) {
      const path = activePath(app)
      if (path !== undefined) void app.dryRun(path)
    },
  },
  {
    id: 'run',
    title: 'Run…',
    shortcut: '$mod+Shift+Enter',
    isEnabled: (app) => activePath(app) !== undefined,
    run(app) {
      const path = activePath(app)
      if (path !== undefined) app.openDialog({ kind: 'run', path })
    },
  },
  {
    id: 'cancel-run',
    title: 'Cancel run',
    isEnabled: (app) => activeLiveRun(app) !== undefined,
    run(app) {
      const tab = activeLiveRun(app)
      if (tab !== undefined) app.openDialog({ kind: 'cancel', runId: tab.runId, tabId: tab.id })
    },
  },
  {
    id: 'save',
    title: 'Save',
    shortcut: '$mod+s',
    isEnabled: (app) => activeFile(app) !== undefined,
    run(app) {
      const path = activeFile(app)
      if (path !== undefined) void app.save(path)
    },
  },
  {
    id: 'close-tab',
    title: 'Close tab',
    shortcut: '$mod+w',
    isEnabled: (app) => app.activeTab() !== undefined,
    run(app) {
      const tab = app.activeTab()
      if (tab !== undefined) app.requestClose(tab.id)
    },
  },
  {
    id: 'next-tab',
    title: 'Next tab',
    shortcut: 'Control+PageDown',
    isEnabled: (app) => app.tabs.getState().tabs.length > 1,
    run: (app) => switchTab(app, 1),
  },
  {
    id: 'previous-tab',
    title: 'Previous tab',
    shortcut: 'Control+PageUp',
    isEnabled: (app) => app.tabs.getState().tabs.length > 1,
    run: (app) => switchTab(app, -1),
  },
  { id: 'show-workflows', title: 'Go to Workflows', isEnabled: always, run: () => focusNav('Workflows') },
  { id: 'show-runs', title: 'Go to Runs', isEnabled: always, run: () => focusNav('Runs') },
  {
    id: 'focus-panel',
    title: 'Go to the next part of the window',
    shortcut: 'F6',
    isEnabled: always,
    run: () => focusNextPart(),
  },
  {
    id: 'command-palette',
    title: 'Command palette',
    shortcut: '$mod+Shift+p',
    isEnabled: always,
    run: (app) => app.openDialog({ kind: 'palette', mode: 'commands' }),
  },
  {
    id: 'quick-open',
    title: 'Quick open',
    shortcut: '$mod+p',
    isEnabled: always,
    run: (app) => app.openDialog({ kind: 'palette', mode: 'files' }),
  },
  { id: 'toggle-theme', title: 'Switch theme', isEnabled: always, run: (app) => app.theme.cycle() },
]

function switchTab(app: AppState, step: number): void {
  const id = neighbourTab(app.tabs.getState(), step)
  if (id !== null) app.activate(id)
}

const PARTS = 'nav, [role="tablist"], .monaco-editor, [role="tree"], section[aria-label], footer'
const FOCUSABLE = 'button:not(:disabled):not([tabindex="-1"]), [tabindex="0"], textarea, input, select'

// F6, as in other editors: from one part of the window to the next that can take the focus.
function focusNextPart(): void {
  const parts = [...document.querySelectorAll<HTMLElement>(PARTS)].filter((part) => part.offsetParent !== null)
  const at = parts.reduce((last, part, index) => (part.contains(document.activeElement) ? index : last), -1)
  for (let step = 1; step <= parts.length; step++) {
    const part = parts[(at + step) % parts.length]
    const target = part?.matches(FOCUSABLE) ? part : part?.querySelector<HTMLElement>(FOCUSABLE)
    if (target) {
      target.focus()
      return
    }
  }
}
