// The rows of the workspace's runs: live ones first, then history, newest first; kept up to date by the host's pushes.

import { createStore } from 'zustand/vanilla'
import type { HostClient, RunId, RunRow } from '../../../shared/index.ts'
import { messageOf } from '../message-of.ts'
import { isLiveStatus } from './run-view.ts'

export interface RunListState {
  rows: readonly RunRow[]
  /** How many the store has; more than `rows` when the list is cut. */
  total: number
  pinned: ReadonlySet<RunId>
  load: { kind: 'loading' } | { kind: 'ready' } | { kind: 'failed'; message: string }
}

const LIMIT = 200

export function createRunList(client: HostClient, workspace: string) {
  const store = createStore<RunListState>(() => ({ rows: [], total: 0, pinned: new Set(), load: { kind: 'loading' } }))
  const ends = [
    client.on('run.row', ({ row }) => {
      if (row.workspace === workspace) store.setState(({ rows, total }) => withRow(rows, total, row))
    }),
    client.on('run.deleted', ({ runIds }) =>
      store.setState(({ rows, total }) => {
        const left = rows.filter(({ runId }) => !runIds.includes(runId))
        return { rows: left, total: total - (rows.length - left.length) }
      }),
    ),
    client.on('run.pinned', ({ runId, pinned }) =>
      store.setState((state) => {
        const next = new Set(state.pinned)
        if (pinned) next.add(runId)
        else next.delete(runId)
        return { pinned: next }
      }),
    ),
  ]
  return {
    store,
    async refresh(): Promise<void> {
      try {
        const { runs, total, pinned } = await client.call('run.list', { workspace, limit: LIMIT })
        store.setState({ rows: sortRows(runs), total, pinned: new Set(pinned), load: { kind: 'ready' } })
      } catch (error) {
        store.setState({ load: { kind: 'failed', message: messageOf(error) } })
      }
    },
    find: (runId: RunId) => store.getState().rows.find((row) => row.runId === runId),
    dispose: () => ends.forEach((end) => end()),
  }
}

export type RunList = ReturnType<typeof createRunList>

/** Live first, newest first in both halves. */
export function sortRows(rows: readonly RunRow[]): RunRow[] {
  return [...rows].sort(
    (a, b) => Number(isLiveStatus(b.status)) - Number(isLiveStatus(a.status)) || b.startedAt - a.startedAt,
  )
}

function withRow(rows: readonly RunRow[], total: number, row: RunRow): Pick<RunListState, 'rows' | 'total'> {
  const others = rows.filter((known) => known.runId !== row.runId)
  const isNew = others.length === rows.length
  return { rows: sortRows([...others, row]).slice(0, LIMIT), total: isNew ? total + 1 : total }
}

/** What is going on and what it has cost so far, for the status bar. */
export function sumLive(rows: readonly RunRow[]): { runs: number; outputTokens: number } {
  let runs = 0
  let outputTokens = 0
  for (const row of rows) {
    if (!isLiveStatus(row.status)) continue
    runs++
    outputTokens += row.outputTokens
  }
  return { runs, outputTokens }
}
