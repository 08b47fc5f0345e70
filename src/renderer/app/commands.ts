// What each action of the window does, and when it makes sense. Names and shortcuts are in shared/contract/window-commands.ts.

import { WINDOW_COMMANDS, type WindowCommand, type WindowCommandInfo } from '../../shared/index.ts'
import type { AppState } from '../state/app-state.ts'
import { neighbourTab } from '../state/tabs/tabs.ts'
import { isLiveStatus, viewStatus } from '../state/runs/run-view.ts'
import { focusNextPart } from './focus-parts.ts'

interface Action {
  /** Always, when it is left out. */
  isEnabled?(app: AppState): boolean
  run(app: AppState): void
}

export interface Command extends WindowCommandInfo {
  isEnabled(app: AppState): boolean
  run(app: AppState): void
}

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

/** An action on what `find` finds; not enabled where that is nothing. */
function on<Target>(
  find: (app: AppState) => Target | undefined,
  act: (app: AppState, target: Target) => void,
): Required<Action> {
  return {
    isEnabled: (app) => find(app) !== undefined,
    run(app) {
      const target = find(app)
      if (target !== undefined) act(app, target)
    },
  }
}

const ACTIONS: Record<WindowCommand, Action> = {
  save: on(activeFile, (app, path) => void app.save(path)),
  'close-tab': on(
    (app) => app.activeTab(),
    (app, tab) => app.requestClose(tab.id),
  ),
  'dry-run': on(activePath, (app, path) => void app.dryRun(path)),
  run: on(activePath, (app, path) => app.openDialog({ kind: 'run', path })),
  'cancel-run': on(activeLiveRun, (app, tab) => app.openDialog({ kind: 'cancel', runId: tab.runId, tabId: tab.id })),
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
