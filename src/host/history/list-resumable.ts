// Interrupted runs that somebody may want to go on with: something of them can be replayed, and no later run has done so.

import type { RunId, RunRow } from '../../shared/index.ts'
import type { RunQuery, Store } from '../../store/index.ts'

const SHOWN = 20
/** As many of the latest runs are looked at: what was left behind longer ago is nobody's surprise. */
const LOOKED_AT = 500

export function listResumable(
  { workspace, workflow }: { workspace: string; workflow: string | undefined },
  store: Pick<Store, 'listRuns'>,
): RunRow[] {
  const query: RunQuery = { workspace, limit: LOOKED_AT, ...(workflow !== undefined && { workflow }) }
  const { runs } = store.listRuns(query)
  const resumed = new Set<RunId>(runs.flatMap(({ resumedFrom }) => resumedFrom ?? []))
  return runs
    .filter(({ runId, status, calls }) => {
      return status === 'interrupted' && calls.completed + calls.replayed > 0 && !resumed.has(runId)
    })
    .slice(0, SHOWN)
}
