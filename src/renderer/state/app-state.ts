// Everything the window knows and can do, put together once. React only shows it.

import { createStore } from 'zustand/vanilla'
import type { CallKey, RunId, RunRow } from '../../shared/index.ts'
import { createBackendFinder } from './backends/backend-finder.ts'
import { createHarnessConnections } from './connections/harness-connections.ts'
import { createApprovals } from './approvals/approvals.ts'
import { createBranches } from './branches/branches.ts'
import type { HostConnection } from './client/connection.ts'
import { createClock } from './clock.ts'
import { createBackups } from './documents/backups.ts'
import { Documents } from './documents/documents.ts'
import { followHost } from './follow-host.ts'
import { messageOf } from './message-of.ts'
import { createLayout } from './layout.ts'
import { createNotices } from './notices.ts'
import { createArchive } from './runs/archive.ts'
import { offerInterruptedRuns } from './runs/offers.ts'
import { createResuming, type EarlierRun, type ResumeRequest } from './runs/resuming.ts'
import { createRunActions, type RunRequest } from './runs/run-actions.ts'
import { createRunList } from './runs/run-list.ts'
import { createRunFinder } from './runs/run-finder.ts'
import type { RunPlace } from './runs/run-session.ts'
import { createSessions } from './runs/sessions.ts'
import { createSteering } from './runs/steering.ts'
import { createHostSettings } from './settings/host-settings.ts'
import { createPreferences } from './settings/preferences.ts'
import type { ThemeSettings } from './settings/theme.ts'
import type { Memory } from './storage.ts'
import {
  activateTab,
  closeDiffs,
  closeTab,
  compareTab,
  dryTab,
  fileTab,
  openTab,
  recallTabs,
  rememberTabs,
  runTab,
  settingsTab,
  diffTab,
  type DiffSide,
  type RunningTab,
  type Tab,
  type TabsState,
} from './tabs/tabs.ts'
import { branchesDialog, dryRunningOf, type WindowState } from './window-state.ts'
import { createAuthoring } from './workflows/authoring.ts'
import { createDryRuns } from './workflows/dry-runs.ts'
import { takeFirstSample } from './workflows/first-start.ts'
import { createWorkflowList } from './workflows/workflow-list.ts'

export interface AppOptions {
  connection: HostConnection
  workspace: string
  memory: Memory
  theme: ThemeSettings
  /** Shown first, when no tabs are remembered. */
  open: string | null
}

export type AppState = ReturnType<typeof createAppState>

export function createAppState({ connection, workspace, memory, theme, open }: AppOptions) {
  const tabsKey = `tabs:${workspace}`
  const tabs = createStore<TabsState>(() => recallTabs(memory.read(tabsKey)))
  const window = createStore<WindowState>(() => ({
    connection: connection.status,
    host: null,
    backends: [],
    dryRunning: new Set(),
    dialog: null,
    reveal: null,
  }))
  const notices = createNotices()
  const backups = createBackups(connection, memory)
  const documents = new Documents(connection, workspace, backups)
  const workflows = createWorkflowList(connection, workspace)
  const runs = createRunList(connection, workspace)
  const sessions = createSessions(connection)
  const finder = createRunFinder(connection, workspace)
  const actions = createRunActions(connection, workspace, documents)
  const resuming = createResuming(connection, actions.sourceOf)
  const approvals = createApprovals(connection, notices)
  const clock = createClock()
  const settings = createHostSettings(connection)

  const changeTabs = (change: (state: TabsState) => TabsState): void => tabs.setState(change, true)
  tabs.subscribe((state) => memory.write(tabsKey, rememberTabs(state)))

  const authoring = createAuthoring({
    client: connection,
    workspace,
    documents,
    workflows,
    notices,
    openFile: (path): Promise<void> => app.openFile(path),
    closeFile: (path): void => app.close(fileTab(path, '').id),
    labelsOf: (path) => {
      const session = sessions.of(dryTab(path, ''))
      return session?.view.getState().state.agents.map(({ label }) => label) ?? []
    },
  })
  const dryRuns = createDryRuns({
    actions,
    memory,
    notices,
    saveFixtures: authoring.saveFixtures,
    running: dryRunningOf(window),
    askArgs: (path) => window.setState({ dialog: { kind: 'run', path } }),
    show(path, reply, inFront) {
      const tab = dryTab(path, `Dry run: ${reply.envelope.workflow ?? fileNameOf(path)}`)
      sessions.keepDryRun(tab.id, reply)
      changeTabs((state) => {
        const next = openTab(state, tab)
        return inFront ? next : { ...next, active: state.active }
      })
    },
  })

  const refreshAll = followHost({
    connection,
    workspace,
    window,
    notices,
    documents,
    lists: [workflows, runs, approvals],
  })

  const openRun = (run: Pick<RunRow, 'runId' | 'workflow' | 'title'>, place?: RunPlace): void => {
    const tab = runTab(run.runId, run.title ?? run.workflow)
    changeTabs((state) => openTab(state, tab))
    if (place !== undefined) sessions.of(tab)?.goTo(place)
  }

  const app = {
    workspace,
    connection,
    memory,
    theme,
    tabs,
    window,
    notices,
    documents,
    workflows,
    runs,
    finder,
    sessions,
    resuming,
    steering: createSteering(connection, notices),
    branches: createBranches(connection, notices),
    approvals,
    archive: createArchive({ client: connection, notices, openRun }),
    layout: createLayout(memory),
    preferences: createPreferences(memory),
    settings,
    backendFinder: createBackendFinder({ client: connection, settings, notices }),
    connections: createHarnessConnections({ client: connection, workspace, notices }),
    authoring,
    dryRuns,
    clock,

    /** Loads the lists and opens the first file. */
    async start(): Promise<void> {
      const reopened = tabs.getState().tabs.map((tab) => (tab.kind === 'file' ? app.loadFile(tab.path) : undefined))
      if (tabs.getState().tabs.length === 0 && open !== null) reopened.push(app.openFile(open))
      await Promise.all([refreshAll(), ...reopened])
      await app.openUnsaved()
      const sample = tabs.getState().tabs.length === 0 && takeFirstSample(workflows.store.getState().entries, memory)
      if (sample) await app.openFile(sample)
      // Takes seconds where agents are installed: nothing waits for it.
      void app.backendFinder.offer()
      const resume = (runId: RunId): void => app.openDialog({ kind: 'resume', runId })
      await offerInterruptedRuns({ client: connection, workspace, memory, notices, resume }).catch((error: unknown) =>
        notices.error(`Interrupted runs can't be listed: ${messageOf(error)}`),
      )
    },

    /** Opens the files that have unsaved text from before a crash, behind what is shown. */
    async openUnsaved(): Promise<void> {
      const { active } = tabs.getState()
      const paths = await backups.list().catch(() => [])
      const closed = paths.filter((path) => documents.get(path) === undefined)
      for (const path of closed) changeTabs((state) => openTab(state, fileTab(path, fileNameOf(path))))
      await Promise.all(closed.map((path) => app.loadFile(path)))
      if (active !== null) app.activate(active)
    },

    activeTab(): Tab | undefined {
      const { tabs: all, active } = tabs.getState()
      return all.find((tab) => tab.id === active)
    },
    activate: (id: string) => changeTabs((state) => activateTab(state, id)),

    /** Opens the file in a tab, at a place if one is given. */
    async openFile(path: string, place?: { line: number; column: number }): Promise<void> {
      changeTabs((state) => openTab(state, fileTab(path, fileNameOf(path))))
      await app.loadFile(path)
      if (place !== undefined) app.revealPlace(path, place)
    },
    async loadFile(path: string): Promise<void> {
      try {
        await documents.open(path)
      } catch (error) {
        notices.error(`${fileNameOf(path)} can't be opened: ${messageOf(error)}`)
        changeTabs((state) => closeTab(state, fileTab(path, '').id))
      }
    },
    revealPlace(path: string, place: { line: number; column: number }): void {
      const serial = (window.getState().reveal?.serial ?? 0) + 1
      window.setState({ reveal: { path, line: place.line, column: place.column, serial } })
    },
    /** Opens the run in a tab, at an agent or a log line if one is given. */
    openRun,
    /** Opens the run that a call was answered from, at that call. */
    async openEarlier(runId: RunId, key: CallKey): Promise<void> {
      try {
        const { row } = await connection.call('run.get', { runId })
        app.openRun(row, { key })
      } catch (error) {
        notices.error(`The earlier run can't be opened: ${messageOf(error)}`)
      }
    },
    openComparison(a: RunId, b: RunId): void {
      changeTabs((state) => openTab(state, compareTab(a, b)))
    },

    /** The branches of the run's worktree agents; `first` is shown at once. Nothing for a dry run. */
    openBranches(tab: RunningTab, first: string | null = null): void {
      const state = tab.kind === 'run' ? sessions.of(tab)?.view.getState().state : undefined
      if (state?.info !== undefined) window.setState({ dialog: branchesDialog(state.info, state.agents, first) })
    },

    openSettings: () => changeTabs((state) => openTab(state, settingsTab())),
    /** Shows the file beside another version of it. */
    async openDiff(path: string, against: DiffSide): Promise<void> {
      // The text is an open document's: what is changed beside the other version is changed in its tab.
      if (documents.get(path) === undefined) await app.openFile(path)
      changeTabs((state) => openTab(state, diffTab(path, fileNameOf(path), against)))
    },

    /** Closes the tab; a file with unsaved text asks first. */
    requestClose(id: string): void {
      const tab = tabs.getState().tabs.find((known) => known.id === id)
      if (tab?.kind === 'file' && documents.get(tab.path)?.dirty)
        window.setState({ dialog: { kind: 'close', tabId: id } })
      else app.close(id)
    },
    close(id: string): void {
      const tab = tabs.getState().tabs.find((known) => known.id === id)
      changeTabs((state) => closeTab(state, id))
      if (tab?.kind === 'file') {
        const { path } = tab
        documents.close(path)
        changeTabs((state) => closeDiffs(state, path))
      } else sessions.close(id)
    },

    /** Saves the file; resolves true when it is on disk. */
    async save(path: string): Promise<boolean> {
      try {
        const saved = await documents.save(path)
        const script = app.authoring.scriptFor(path)
        if (saved && script !== undefined && app.preferences.store.getState().dryRunOnSave)
          void app.dryRun(script, false)
        return saved
      } catch (error) {
        notices.error(`${fileNameOf(path)} was not saved: ${messageOf(error)}`)
        return false
      }
    },

    dryRun: (path: string, inFront = true): Promise<void> => dryRuns.start(path, inFront),
    /** Rejects with HostError. */
    async startRun(path: string, request: RunRequest): Promise<void> {
      const runId = await actions.start(path, request)
      const workflow = documents.get(path)?.meta?.name ?? fileNameOf(path)
      app.openRun({ runId, workflow, title: null })
    },
    /** Goes on from an earlier run in a new one. Rejects with HostError. */
    async resumeRun(runId: RunId, earlier: EarlierRun, request: ResumeRequest): Promise<void> {
      const resumed = await resuming.start(runId, earlier.scriptPath, request)
      app.openRun({ runId: resumed, workflow: earlier.workflow, title: earlier.title })
    },
    async deleteRun(runId: RunId): Promise<void> {
      if (await app.archive.remove(runId)) app.close(runTab(runId, '').id)
    },

    openDialog: (dialog: NonNullable<WindowState['dialog']>) => window.setState({ dialog }),
    closeDialog: () => window.setState({ dialog: null }),
  }

  return app
}

/** The last part of a path of either kind. */
export function fileNameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path
}
