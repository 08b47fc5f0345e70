// All that the window knows of one run, and the verdict it shows of it.

import {
  describeOutcome,
  EMPTY_RUN,
  type AgentNumber,
  type DryRunPlan,
  type RunRow,
  type RunState,
  type RunStatus,
} from '../../../shared/index.ts'
import type { AttemptGap } from './attempt-gaps.ts'
import type { Transcript } from './transcript.ts'

export interface RunView {
  state: RunState
  transcripts: ReadonlyMap<AgentNumber, Transcript>
  /** Where agents failed and began again; only of those that did. */
  gaps: ReadonlyMap<AgentNumber, readonly AttemptGap[]>
  /** Sequence number of the last event that is more than progress or a log line: the tree's shape is that of then. */
  shapeSeq: number
  /** What the store's list says; null until known and for a dry run. */
  row: RunRow | null
  load: { kind: 'loading' } | { kind: 'ready' } | { kind: 'failed'; message: string }
  /** The whole result as JSON text, once there is one to be had. */
  result: { json: string | null } | null
  /** Of a dry run. */
  plan: DryRunPlan | null
}

export const EMPTY_VIEW: RunView = {
  state: EMPTY_RUN,
  transcripts: new Map(),
  gaps: new Map(),
  shapeSeq: 0,
  row: null,
  load: { kind: 'loading' },
  result: null,
  plan: null,
}

const LIVE: readonly RunStatus[] = ['queued', 'running', 'paused']

export function isLiveStatus(status: RunStatus): boolean {
  return LIVE.includes(status)
}

/** The status to show: an event log that stops early leaves the last word to the store (`interrupted`). */
export function viewStatus({ state, row }: Pick<RunView, 'state' | 'row'>): RunStatus {
  return state.endedAt === undefined && row !== null && !isLiveStatus(row.status) ? row.status : state.status
}

/** The verdict in words. */
export function viewVerdict(view: Pick<RunView, 'state' | 'row'>): string {
  const status = viewStatus(view)
  return describeOutcome({ ...view.state, status })
}

/** When it ended, in milliseconds since the epoch; undefined while it runs. */
export function viewEnd({ state, row }: Pick<RunView, 'state' | 'row'>): number | undefined {
  if (state.endedAt !== undefined) return state.endedAt
  return row !== null && !isLiveStatus(row.status) ? (row.endedAt ?? state.startedAt) : undefined
}
