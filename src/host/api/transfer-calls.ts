// `run.export` and `run.import`: a run as a file, there and back.

import { asRunId, HostError, type RunId, type RunRow } from '../../shared/index.ts'
import type { HostContext } from '../context.ts'
import { ExportPages } from '../transfer/export-pages.ts'
import { ImportRuns } from '../transfer/import-runs.ts'
import { exportLines } from '../transfer/jsonl-lines.ts'
import { renderHtml } from '../transfer/html/render-html.ts'
import type { HostCallHandlers } from './handlers.ts'

export function transferCalls({
  store,
  live,
  ids,
  publish,
}: HostContext): Pick<HostCallHandlers, 'run.export' | 'run.import'> {
  const pages = new ExportPages()
  const imports = new ImportRuns(store, ids)
  const requireEnded = (runId: RunId): RunRow => {
    const row = store.readRow(runId)
    if (row === undefined) throw new HostError({ code: 'NOT_FOUND', message: `There is no run ${runId}` })
    const [last] = store.readEvents(runId, store.lastSeq(runId), 1)
    if (live.get(runId) === undefined && last?.type === 'run-ended') return row
    const why = live.get(runId) === undefined ? 'its log has no end; restart the host, which ends it' : 'it is live'
    throw new HostError({ code: 'CONFLICT', message: `Run ${runId} can't be exported: ${why}` })
  }
  return {
    'run.export': ({ runId, format, cursor }) => {
      const id = asRunId(runId)
      // On every page: the run may have been deleted meanwhile.
      const row = requireEnded(id)
      if (cursor !== undefined) return pages.next(cursor)
      const name = `${row.workflow.replace(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 60) || 'run'}-${id}`
      return format === 'jsonl'
        ? pages.begin(`${name}.weft.jsonl`, exportLines(id, store))
        : pages.begin(`${name}.html`, renderHtml(row, store))
    },
    'run.import': async (piece, { signal }) => {
      const { importId, text, last } = piece
      const done = await imports.take({ text, last, ...(importId !== undefined && { importId }) }, signal)
      if (done.runId !== null && !done.known) publish.runChanged(done.runId)
      return done
    },
  }
}
