// A run's line in lists: from the fold of its events to RunRow, and to and from the columns of `runs`.

import { asRunId, cutText, EMPTY_RUN, toWellFormed, type RunRow, type RunState } from '../../shared/index.ts'
import type { RunColumns } from '../writer/protocol.ts'

const ERROR_UNITS = 2000

/** Undefined before `run-started`. Text is made well-formed, as SQLite would do, so that stored and fresh rows are equal. */
export function toRunRow(state: RunState): RunRow | undefined {
  const { info, startedAt } = state
  if (info === undefined || startedAt === undefined) return undefined
  return {
    runId: info.runId,
    workflow: toWellFormed(info.meta.name),
    title: info.title === undefined ? null : toWellFormed(info.title),
    status: state.status,
    degraded: state.degraded,
    simulated: info.simulated,
    workspace: toWellFormed(info.workspace),
    scriptPath: info.scriptPath === null ? null : toWellFormed(info.scriptPath),
    backend: toWellFormed(info.backend),
    startedBy: info.startedBy,
    resumedFrom: info.resumedFrom,
    startedAt,
    endedAt: state.endedAt ?? null,
    agents: state.agents.length,
    calls: { ...state.calls },
    outputTokens: state.usage.outputTokens,
    costUsd: state.usage.costUsd,
    error: state.error === undefined ? null : toWellFormed(cutText(state.error.message, ERROR_UNITS)),
  }
}

export function toColumns(row: RunRow, dry: boolean): RunColumns {
  return {
    workflow: row.workflow,
    title: row.title,
    status: row.status,
    degraded: Number(row.degraded),
    simulated: Number(row.simulated),
    dry: Number(dry),
    workspace: row.workspace,
    scriptPath: row.scriptPath,
    backend: row.backend,
    startedBy: JSON.stringify(row.startedBy),
    resumedFrom: row.resumedFrom,
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    agents: row.agents,
    calls: JSON.stringify(row.calls),
    outputTokens: row.outputTokens,
    costUsd: row.costUsd,
    error: row.error,
  }
}

/** A row of `runs` as SQLite gives it. */
export interface StoredRun {
  run_id: string
  workflow: string
  title: string | null
  status: string
  degraded: number
  simulated: number
  workspace: string
  script_path: string | null
  backend: string
  started_by: string
  resumed_from: string | null
  started_at: number
  ended_at: number | null
  agents: number
  calls: string
  output_tokens: number
  cost_usd: number | null
  error: string | null
}

export function fromStoredRun(stored: StoredRun): RunRow {
  return {
    runId: asRunId(stored.run_id),
    workflow: stored.workflow,
    title: stored.title,
    // The column's CHECK allows nothing else.
    status: stored.status as RunRow['status'],
    degraded: stored.degraded === 1,
    simulated: stored.simulated === 1,
    workspace: stored.workspace,
    scriptPath: stored.script_path,
    backend: stored.backend,
    startedBy: read(stored.started_by, { kind: 'cli' }),
    resumedFrom: stored.resumed_from === null ? null : asRunId(stored.resumed_from),
    startedAt: stored.started_at,
    endedAt: stored.ended_at,
    agents: stored.agents,
    calls: read(stored.calls, EMPTY_RUN.calls),
    outputTokens: stored.output_tokens,
    costUsd: stored.cost_usd,
    error: stored.error,
  }
}

/** One damaged row must not hide all others: what is lost of it is shown as nothing. */
function read<Value>(text: string, lost: Value): Value {
  try {
    // Written by toColumns from the same type.
    return JSON.parse(text) as Value
  } catch {
    return lost
  }
}
