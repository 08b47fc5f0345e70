// What the window knows of itself for as long as it is open.

import type { StoreApi } from 'zustand/vanilla'
import type { AgentState, BackendInfo, HostStatus, RunId, RunState } from '../../shared/index.ts'
import type { ConnectionStatus } from './client/connection.ts'
import type { AuthorDialog } from './workflows/author-dialog.ts'

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
    | { kind: 'resume'; runId: RunId }
    | { kind: 'compare'; runId: RunId }
    | { kind: 'delete'; runId: RunId }
    | { kind: 'branches'; runId: RunId; workspace: string; named: readonly string[]; first: string | null }
    | AuthorDialog
    | { kind: 'palette'; mode: 'commands' | 'files' }
    | null
  /** A place in an open file that its editor shall show; `serial` makes the same place again a new wish. */
  reveal: { path: string; line: number; column: number; serial: number } | null
}

/** The dialog of what the run's worktree agents changed; `first` is shown at once. */
export function branchesDialog(
  { runId, workspace }: Pick<NonNullable<RunState['info']>, 'runId' | 'workspace'>,
  agents: readonly AgentState[],
  first: string | null,
): WindowState['dialog'] {
  return { kind: 'branches', runId, workspace, named: agents.flatMap(({ branch }) => branch ?? []), first }
}

/** The paths whose dry run is under way, as a set that can be changed. */
export function dryRunningOf(window: Pick<StoreApi<WindowState>, 'getState' | 'setState'>) {
  return {
    has: (path: string): boolean => window.getState().dryRunning.has(path),
    add: (path: string): void => window.setState(({ dryRunning }) => ({ dryRunning: new Set([...dryRunning, path]) })),
    delete: (path: string): void =>
      window.setState(({ dryRunning }) => ({
        dryRunning: new Set([...dryRunning].filter((other) => other !== path)),
      })),
  }
}
