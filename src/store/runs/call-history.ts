// Gathers what calls took in the latest real runs of a workflow, for a dry run's estimate.

import type { HistoryQueries } from '../queries/history-queries.ts'
import type { CallHistoryQuery, CallSample } from '../store.ts'

/** How many runs are looked at for each one wanted: some ended before any of their calls. */
const LOOKED_AT = 5

export async function readCallHistory(history: HistoryQueries, query: CallHistoryQuery): Promise<CallSample[]> {
  const { workflow, workspace, calls } = query
  const samples: CallSample[] = []
  let runs = query.runs
  for (const runId of history.realRuns(workflow, workspace, runs * LOOKED_AT)) {
    const own = history.samples(runId, calls - samples.length)
    samples.push(...own)
    if (own.length > 0) runs--
    if (runs === 0 || samples.length >= calls) break
    // Between two runs the host may do something else.
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((resolve) => setImmediate(resolve))
  }
  return samples
}
