// The actions on files and on how they are dry-run.

import type { WindowCommand } from '../../shared/index.ts'
import type { AppState } from '../state/app-state.ts'
import type { CompanionKind } from '../state/workflows/workflow-names.ts'
import { on, type Action } from './action.ts'

/** The file that the active tab shows. */
function activeFile(app: AppState): string | undefined {
  const tab = app.activeTab()
  return tab?.kind === 'file' || tab?.kind === 'diff' ? tab.path : undefined
}

function activeWritable(app: AppState): string | undefined {
  const path = activeFile(app)
  return path !== undefined && app.documents.get(path)?.writable ? path : undefined
}

/** The script that the active tab is about: its own, or the one whose fixtures or args schema it shows. */
export function activeScript(app: AppState): string | undefined {
  const tab = app.activeTab()
  if (tab?.kind === 'dry') return tab.path
  const path = activeFile(app)
  return path === undefined ? undefined : app.authoring.scriptFor(path)
}

function activeRun(app: AppState) {
  const tab = app.activeTab()
  if (tab?.kind !== 'run') return undefined
  const info = app.sessions.of(tab)?.view.getState().state.info
  return info && { runId: tab.runId, workflow: info.meta.name }
}

const openCompanion = (kind: CompanionKind): Action =>
  on(activeScript, (app, path) => void app.authoring.openCompanion(path, kind))

type AuthorCommand = Extract<
  WindowCommand,
  | 'new-workflow'
  | 'save'
  | 'save-as'
  | 'rename-workflow'
  | 'delete-workflow'
  | 'open-fixtures'
  | 'open-args-schema'
  | 'compare-saved'
  | 'compare-script'
  | 'dry-run'
  | 'dry-run-options'
  | 'toggle-dry-run-on-save'
  | 'run'
  | 'save-run-script'
  | 'settings'
  | 'shortcuts'
>

export const AUTHOR_ACTIONS: Record<AuthorCommand, Action> = {
  'new-workflow': { run: (app) => app.openDialog({ kind: 'new-workflow' }) },
  save: on(activeFile, (app, path) => void app.save(path)),
  'save-as': on(activeFile, (app, path) => app.openDialog({ kind: 'save-as', path })),
  'rename-workflow': on(activeWritable, (app, path) => app.openDialog({ kind: 'rename-workflow', path })),
  'delete-workflow': on(activeWritable, (app, path) => app.openDialog({ kind: 'delete-workflow', path })),
  'open-fixtures': openCompanion('fixtures'),
  'open-args-schema': openCompanion('args-schema'),
  'compare-saved': on(activeFile, (app, path) => void app.openDiff(path, { kind: 'saved' })),
  'compare-script': on(activeFile, (app, path) => app.openDialog({ kind: 'compare-script', path })),
  'dry-run': on(activeScript, (app, path) => void app.dryRun(path)),
  'dry-run-options': on(activeScript, (app, path) => app.openDialog({ kind: 'dry-run-options', path })),
  'toggle-dry-run-on-save': { run: (app) => app.preferences.toggleDryRunOnSave() },
  run: on(activeScript, (app, path) => app.openDialog({ kind: 'run', path })),
  'save-run-script': on(activeRun, (app, run) => app.openDialog({ kind: 'save-run-script', ...run })),
  settings: { run: (app) => app.openSettings() },
  shortcuts: { run: (app) => app.openDialog({ kind: 'shortcuts' }) },
}
