// Deletes old runs, by age and by the size of the database; the oldest first, never a pinned or a running one.

import type { RunId } from '../../shared/index.ts'
import type { RunQueries } from '../queries/run-queries.ts'
import type { RetentionPolicy } from '../store.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** As many as are deleted in one transaction: other writes come in between. */
const SLICE = 10

export interface RetentionParts {
  runs: RunQueries
  /** Deletes and resolves with the bytes that the database uses afterwards. */
  remove(runIds: RunId[]): Promise<number>
}

export async function applyRetention(parts: RetentionParts, policy: RetentionPolicy, now: number): Promise<RunId[]> {
  const deleted: RunId[] = []
  const remove = async (runIds: RunId[]): Promise<number> => {
    deleted.push(...runIds)
    return parts.remove(runIds)
  }
  if (policy.maxAgeDays !== undefined) {
    const before = now - policy.maxAgeDays * DAY_MS
    for (let old; (old = parts.runs.expendable(before, SLICE)).length > 0;) await remove(old)
  }
  if (policy.maxBytes !== undefined) {
    let used = await remove([])
    while (used > policy.maxBytes) {
      const [oldest] = parts.runs.expendable(Number.POSITIVE_INFINITY, 1)
      if (oldest === undefined) break
      used = await remove([oldest])
    }
  }
  return deleted
}
