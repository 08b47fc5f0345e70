// What each action of the window does, and when it makes sense. Names and shortcuts are in shared/contract/window-commands.ts.

import { WINDOW_COMMANDS, type WindowCommand, type WindowCommandInfo } from '../../shared/index.ts'
import type { AppState } from '../state/app-state.ts'
import { neighbourTab } from '../state/tabs/tabs.ts'
import { on, type Action } from './action.ts'
import { AUTHOR_ACTIONS } from './author-commands.ts'
import { focusNextPart } from './focus-parts.ts'
import { RUN_ACTIONS } from './run-commands.ts'

export interface Command extends WindowCommandInfo {
  isEnabled(app: AppState): boolean
  run(app: AppState): void
}

const ACTIONS: Record<WindowCommand, Action> = {
  ...RUN_ACTIONS,
  ...AUTHOR_ACTIONS,
  'close-tab': on(
    (app) => app.activeTab(),
    (app, tab) => app.requestClose(tab.id),
  ),
  'quick-open': { run: (app) => app.openDialog({ kind: 'palette', mode: 'files' }) },
  'next-tab': { isEnabled: hasTabs, run: (app) => switchTab(app, 1) },
  'previous-tab': { isEnabled: hasTabs, run: (app) => switchTab(app, -1) },
  'show-workflows': { run: () => focusNav('Workflows') },
  'show-runs': { run: () => focusNav('Runs') },
  'focus-panel': { run: () => focusNextPart() },
  'command-palette': { run: (app) => app.openDialog({ kind: 'palette', mode: 'commands' }) },
  'toggle-theme': { run: (app) => app.theme.cycle() },
}

export const COMMANDS: readonly Command[] = WINDOW_COMMANDS.map((info) => {
  const { isEnabled = () => true, run } = ACTIONS[info.id]
  return { ...info, isEnabled, run }
})

function hasTabs(app: AppState): boolean {
  return app.tabs.getState().tabs.length > 1
}

function switchTab(app: AppState, step: number): void {
  const id = neighbourTab(app.tabs.getState(), step)
  if (id !== null) app.activate(id)
}

function focusNav(name: string): void {
  document.querySelector<HTMLElement>(`nav[aria-label="${name}"] h2 button`)?.click()
}
