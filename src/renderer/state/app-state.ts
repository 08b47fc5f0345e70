// Everything the window knows and can do, put together once. React only shows it.

import { createStore } from 'zustand/vanilla'
import type { BackendInfo, HostStatus, JsonValue, RunId, RunRow } from '../../shared/index.ts'
import type { ConnectionStatus, HostConnection } from './client/connection.ts'
import { createClock } from './clock.ts'
import { createBackups } from './documents/backups.ts'
import { Documents } from './documents/documents.ts'
import { messageOf } from './message-of.ts'
import { createNotices } from './notices.ts'
import { createRunActions, describeRefusal, type RunRequest } from './runs/run-actions.ts'
import { createRunList } from './runs/run-list.ts'
import { createSessions } from './runs/sessions.ts'
import type { ThemeSettings } from './settings/theme.ts'
import type { Memory } from './storage.ts'
import {
  activateTab,
  closeTab,
  dryTab,
  fileTab,
  openTab,
  recallTabs,
  rememberTabs,
  runTab,
  type Tab,
  type TabsState,
} from './tabs/tabs.ts'
import { createWorkflowList } from './workflows/workflow-list.ts'

/** Short-lived facts about the window itself. */
export interface WindowState {
  connection: ConnectionStatus
  host: HostStatus | null
  backends: readonly BackendInfo[]
  /** Paths whose dry run is under way. */
  dryRunning: ReadonlySet<string>
  /** The dialog that is open. */
  dialog:
    | { kind: 'run'; path: string }
    | { kind: 'cancel'; runId: RunId; tabId: string }
    | { kind: 'close'; tabId: string }
    | { kind: 'palette'; mode: 'commands' | 'files' }
    | null
  /** A place in an open file that its editor shall show; `serial` makes the same place again a new wish. */
  reveal: { path: string; line: number; column: number; serial: number } | null
}

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
  const documents = new Documents(connection, workspace, createBackups(memory))
  const workflows = createWorkflowList(connection, workspace)
  const runs = createRunList(connection, workspace)
  const sessions = createSessions(connection)
  const actions = createRunActions(connection, workspace, documents)
  const clock = createClock()

  const changeTabs = (change: (state: TabsState) => TabsState): void => tabs.setState(change, true)
  tabs.subscribe((state) => memory.write(tabsKey, rememberTabs(state)))

  const refreshAll = async (): Promise<void> => {
    const status = connection.call('host.status', {}).then((host) => window.setState({ host }))
    const backends = connection.call('backends.list', {}).then((list) => window.setState({ backends: list.backends }))
    await Promise.all([workflows.refresh(), runs.refresh(), status, backends]).catch((error: unknown) =>
      notices.error(messageOf(error)),
    )
  }

  connection.on('host.status', (host) => window.setState({ host }))
  connection.on('workflows.changed', (change) => {
    if (change.workspace !== workspace) return
    void workflows.refresh()
    void documents.checkDisk()
  })
  connection.onStatus((status) => {
    window.setState({ connection: status })
    // What happened while the line was down is nowhere but in the lists.
    if (status === 'connected') void refreshAll()
    if (status === 'closed') notices.error('The host speaks another version now. Reload the window to go on with it.')
  })

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
    sessions,
    clock,

    /** Loads the lists and opens the first file. */
    async start(): Promise<void> {
      const reopened = tabs.getState().tabs.map((tab) => (tab.kind === 'file' ? app.loadFile(tab.path) : undefined))
      if (tabs.getState().tabs.length === 0 && open !== null) reopened.push(app.openFile(open))
      await Promise.all([refreshAll(), ...reopened])
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
    openRun(run: Pick<RunRow, 'runId' | 'workflow' | 'title'>): void {
      changeTabs((state) => openTab(state, runTab(run.runId, run.title ?? run.workflow)))
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
      if (tab?.kind === 'file') documents.close(tab.path)
      else sessions.close(id)
    },

    /** Saves the file; resolves true when it is on disk. */
    async save(path: string): Promise<boolean> {
      try {
        return await documents.save(path)
      } catch (error) {
        notices.error(`${fileNameOf(path)} was not saved: ${messageOf(error)}`)
        return false
      }
    },

    /** Args last given for the file: a dry run takes them too. */
    argsFor: (path: string): string => {
      const text = memory.read(`args:${path}`)
      return typeof text === 'string' ? text : ''
    },
    rememberArgs: (path: string, text: string) => memory.write(`args:${path}`, text),

    async dryRun(path: string): Promise<void> {
      if (window.getState().dryRunning.has(path)) return
      setDryRunning(path, true)
      try {
        const reply = await actions.dryRun(path, parseArgs(app.argsFor(path)))
        const tab = dryTab(path, `Dry run: ${reply.envelope.workflow ?? fileNameOf(path)}`)
        sessions.keepDryRun(tab.id, reply)
        changeTabs((state) => openTab(state, tab))
      } catch (error) {
        notices.error(`No dry run of ${fileNameOf(path)}: ${describeRefusal(error)}`)
      } finally {
        setDryRunning(path, false)
      }
    },
    /** The dry run that the Run dialog takes its estimate from. Rejects with HostError. */
    estimate: async (path: string, args: JsonValue | undefined) => {
      const { plan, envelope } = await actions.dryRun(path, args)
      return { plan, envelope }
    },
    /** Rejects with HostError. */
    async startRun(path: string, request: RunRequest): Promise<void> {
      const runId = await actions.start(path, request)
      const workflow = documents.get(path)?.meta?.name ?? fileNameOf(path)
      app.openRun({ runId, workflow, title: null })
    },
    async cancelRun(runId: RunId): Promise<void> {
      try {
        await actions.cancel(runId)
      } catch (error) {
        notices.error(`The run was not cancelled: ${messageOf(error)}`)
      }
    },

    openDialog: (dialog: NonNullable<WindowState['dialog']>) => window.setState({ dialog }),
    closeDialog: () => window.setState({ dialog: null }),
  }

  function setDryRunning(path: string, running: boolean): void {
    window.setState(({ dryRunning }) => {
      const next = new Set(dryRunning)
      if (running) next.add(path)
      else next.delete(path)
      return { dryRunning: next }
    })
  }

  return app
}

/** The last part of a path of either kind. */
export function fileNameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path
}

/** The args from their text; undefined for an empty one and for text that is no JSON. */
export function parseArgs(text: string): JsonValue | undefined {
  if (text.trim() === '') return undefined
  try {
    // JSON.parse makes JSON values.
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}
