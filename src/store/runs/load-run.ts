// Loads a run by folding its stored events. The invariants are checked again: what is stored may be damaged.

import { EMPTY_RUN, RunFold, RunLogError, type RunId, type RunRow, type RunState } from '../../shared/index.ts'
import { StoreError } from '../errors.ts'
import type { EventQueries } from '../queries/event-queries.ts'
import type { RunQueries } from '../queries/run-queries.ts'
import { toRunRow } from './run-row.ts'

export interface LoadedRun {
  state: RunState
  /** When the last event happened, ms since the epoch; 0 without events. */
  lastAt: number
  /** Why the log can't be read further, when it can't; `state` is what the events before make. */
  damage: string | undefined
}

/** Folds as far as the log is legal. */
export function loadRun(events: EventQueries, runId: RunId): LoadedRun {
  const fold = new RunFold(EMPTY_RUN)
  let lastAt = 0
  try {
    for (const event of events.all(runId)) {
      fold.push(event)
      lastAt = Math.max(lastAt, event.at)
    }
  } catch (error) {
    if (error instanceof RunLogError || (error instanceof StoreError && error.code === 'DAMAGED'))
      return { state: fold.state, lastAt, damage: error.message }
    throw error
  }
  return { state: fold.state, lastAt, damage: undefined }
}

/** A fold to go on with; undefined for an unknown run. Throws StoreError DAMAGED. */
export function loadFold(runs: RunQueries, events: EventQueries, runId: RunId): RunFold | undefined {
  if (!runs.exists(runId)) return undefined
  const { state, damage } = loadRun(events, runId)
  if (damage !== undefined) throw new StoreError('DAMAGED', `The stored log of run ${runId} is damaged: ${damage}`)
  return new RunFold(state)
}

/**
 * The row that the stored events make; a damaged log's run is interrupted where the damage begins. When not even the first
 * event is left, what the row said so far is kept. Undefined for a run that never had an event.
 */
export function loadRow(
  runs: RunQueries,
  events: EventQueries,
  runId: RunId,
): { row: RunRow; dry: boolean } | undefined {
  const { state, lastAt, damage } = loadRun(events, runId)
  const row = toRunRow(state) ?? runs.row(runId)
  if (row === undefined) return undefined
  const problem = damage ?? (state.info === undefined ? 'none of its events is left' : undefined)
  if (problem !== undefined && row.endedAt === null)
    Object.assign(row, {
      status: 'interrupted',
      endedAt: lastAt === 0 ? row.startedAt : lastAt,
      error: `The stored log is damaged: ${problem}`,
    })
  return { row, dry: state.info?.dry ?? false }
}
