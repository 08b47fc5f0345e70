// The actions on the run of the active tab and on the agent that is selected in it.

import type { WindowCommand } from '../../shared/index.ts'
import type { AppState } from '../state/app-state.ts'
import { refuseAgentAction, refuseRunAction, type AgentAction, type RunAction } from '../state/runs/run-controls.ts'
import { isLiveStatus, viewStatus } from '../state/runs/run-view.ts'
import { on, type Action } from './action.ts'

function activeRun(app: AppState) {
  const tab = app.activeTab()
  if (tab?.kind !== 'run') return undefined
  const session = app.sessions.of(tab)
  return session && { tab, runId: tab.runId, session, view: session.view.getState() }
}

function runFor(action: RunAction) {
  return (app: AppState) => {
    const run = activeRun(app)
    return run !== undefined && refuseRunAction(run.view, action) === null ? run : undefined
  }
}

function endedRun(app: AppState) {
  const run = activeRun(app)
  return run !== undefined && !isLiveStatus(viewStatus(run.view)) ? run : undefined
}

function onAgent(action: AgentAction): Action {
  return on(
    (app) => {
      const run = activeRun(app)
      const selected = run?.session.tree.store.getState().selected
      const agent = selected === undefined ? undefined : run?.view.state.agents[selected - 1]
      if (run === undefined || agent === undefined || refuseAgentAction(run.view, agent, action) !== null)
        return undefined
      return { runId: run.runId, agent }
    },
    (app, { runId, agent }) => void app.steering.agent(runId, agent, action),
  )
}

type RunCommand = Extract<
  WindowCommand,
  | 'pause-run'
  | 'continue-run'
  | 'cancel-run'
  | 'resume-run'
  | 'retry-agent'
  | 'skip-agent'
  | 'stop-agent'
  | 'compare-runs'
  | 'export-run'
  | 'export-report'
  | 'import-run'
  | 'search-runs'
  | 'toggle-timeline'
>

export const RUN_ACTIONS: Record<RunCommand, Action> = {
  'pause-run': on(runFor('pause'), (app, { runId, view }) => void app.steering.pause(runId, view.state)),
  'continue-run': on(runFor('continue'), (app, { runId }) => void app.steering.continue(runId)),
  'cancel-run': on(runFor('cancel'), (app, { tab }) =>
    app.openDialog({ kind: 'cancel', runId: tab.runId, tabId: tab.id }),
  ),
  'resume-run': on(runFor('resume'), (app, { runId }) => app.openDialog({ kind: 'resume', runId })),
  'retry-agent': onAgent('retry'),
  'skip-agent': onAgent('skip'),
  'stop-agent': onAgent('stop'),
  'compare-runs': on(endedRun, (app, { runId }) => app.openDialog({ kind: 'compare', runId })),
  'export-run': on(endedRun, (app, { runId }) => void app.archive.exportRun(runId, 'jsonl')),
  'export-report': on(endedRun, (app, { runId }) => void app.archive.exportRun(runId, 'html')),
  'import-run': { run: (app) => void app.archive.importPicked() },
  'search-runs': { run: () => document.querySelector<HTMLElement>('#search-runs')?.focus() },
  'toggle-timeline': on(
    (app) => {
      const tab = app.activeTab()
      return tab?.kind === 'run' || tab?.kind === 'dry' ? tab : undefined
    },
    (app) => app.layout.toggleTimeline(),
  ),
}
