// A whole run from elsewhere as one operation: the writer stores all of it in one transaction, or nothing.

import { EMPTY_RUN, foldRunAll } from '../../shared/index.ts'
import { StoreError } from '../errors.ts'
import type { StoredRunContent } from '../store.ts'
import type { WriteOperation } from '../writer/protocol.ts'
import { toCallOperation, toCloseOperation, toResultOperation } from './journal.ts'
import { toColumns, toRunRow } from './run-row.ts'

/** Throws RunLogError for events that may not follow each other, StoreError for a log without a beginning. */
export function toImportOperation(content: StoredRunContent): WriteOperation {
  const { runId, script, events, calls, journal, result } = content
  const state = foldRunAll(EMPTY_RUN, events)
  const row = toRunRow(state)
  if (row === undefined || row.runId !== runId)
    throw new StoreError('CONSTRAINT', `The log of run ${runId} does not begin with its run-started event.`)
  const operations: WriteOperation[] = [
    {
      kind: 'run',
      runId,
      workflow: row.workflow,
      scriptHash: script.hash,
      script: JSON.stringify(script.text),
      fileName: script.fileName,
    },
    {
      kind: 'events',
      runId,
      firstSeq: 1,
      types: events.map(({ type }) => type),
      data: events.map((event) => JSON.stringify(event)),
    },
    ...calls.map((call) => toCallOperation(runId, call)),
    ...journal.map((closed) => toCloseOperation(runId, closed)),
    ...(result === undefined ? [] : [toResultOperation(runId, result)]),
    { kind: 'row', runId, columns: toColumns(row, state.info?.dry ?? false) },
  ]
  return { kind: 'import', run: runId, operations }
}
