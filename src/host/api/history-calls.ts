// `run.*` of ended runs: finding, comparing, keeping and deleting them.

import { asRunId, HostError, type RunId, type RunRow, type RunStatus } from '../../shared/index.ts'
import { StoreError } from '../../store/index.ts'
import type { HostContext } from '../context.ts'
import { compareRuns } from '../history/compare-runs.ts'
import { listResumable } from '../history/list-resumable.ts'
import { removeSavedScripts } from '../runs/saved-script.ts'
import type { HostCallHandlers } from './handlers.ts'

type HistoryCallName = 'run.list' | 'run.search' | 'run.compare' | 'run.resumable' | 'run.delete' | 'run.pin'

export function historyCalls({ store, publish, options }: HostContext): Pick<HostCallHandlers, HistoryCallName> {
  return {
    'run.list': ({ status, ...query }) =>
      store.listRuns({ ...query, ...(status !== undefined && { status: status.map(checkStatus) }) }),
    'run.search': ({ text, limit }) => {
      const rows = new Map<RunId, RunRow | undefined>()
      const hits = store.search(text, limit === undefined ? {} : { limit })
      return {
        hits: hits.flatMap((hit) => {
          if (!rows.has(hit.runId)) rows.set(hit.runId, store.readRow(hit.runId))
          const row = rows.get(hit.runId)
          return row === undefined ? [] : [{ ...hit, row }]
        }),
      }
    },
    'run.compare': ({ a, b }) => compareRuns(asRunId(a), asRunId(b), store),
    'run.resumable': ({ workspace, workflow }) => ({ runs: listResumable({ workspace, workflow }, store) }),
    'run.delete': async ({ runIds }) => {
      const ids = [...new Set(runIds.map(asRunId))]
      const unknown = ids.filter((runId) => store.readRow(runId) === undefined)
      if (unknown.length > 0)
        throw new HostError({
          code: 'NOT_FOUND',
          message: `There is no run ${unknown.join(', ')}: nothing was deleted`,
        })
      await store.deleteRuns(ids).catch((error: unknown) => {
        if (!(error instanceof StoreError) || error.code !== 'CONFLICT') throw error
        throw new HostError({ code: 'CONFLICT', message: error.message }, { cause: error })
      })
      await removeSavedScripts(options.dataDir, ids)
      publish.runsDeleted(ids)
      return {}
    },
    'run.pin': async ({ runId, pinned }) => {
      const id = asRunId(runId)
      if (store.readRow(id) === undefined)
        throw new HostError({ code: 'NOT_FOUND', message: `There is no run ${runId}` })
      await store.setPinned(id, pinned)
      publish.runPinned(id, pinned)
      return {}
    },
  }
}

const STATUSES: readonly RunStatus[] = ['queued', 'running', 'paused', 'completed', 'cancelled', 'error', 'interrupted']

function checkStatus(given: string): RunStatus {
  const status = STATUSES.find((known) => known === given)
  if (status !== undefined) return status
  const message = `status must be one of ${STATUSES.join(', ')}, not "${given}"`
  throw new HostError({ code: 'BAD_REQUEST', message: `run.list: ${message}`, violations: [message] })
}
