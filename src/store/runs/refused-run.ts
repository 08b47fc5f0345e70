// How a run looks whose writes are refused, e.g. since the disk is full: over, and why, although its log has no end yet.

import type { RunRow } from '../../shared/index.ts'
import type { StoreError } from '../errors.ts'
import type { RunColumns } from '../writer/protocol.ts'
import { toColumns } from './run-row.ts'

/** The row of a run without an end tells so even where the refusal could not be written either. */
export function showRefusal(row: RunRow, refusal: StoreError | undefined): RunRow {
  return row.endedAt === null && refusal ? { ...row, status: 'interrupted', error: refusal.message } : row
}

/**
 * The row was folded from events that are not stored; now it tells of those that are, and that no more will come. Its end
 * stays open: the next recovery ends the log itself.
 */
export function refusedColumns({ row, dry }: { row: RunRow; dry: boolean }, message: string): RunColumns {
  return toColumns(row.endedAt === null ? { ...row, status: 'interrupted', error: message } : row, dry)
}
