// Where the text of a search document is: the index keeps none, so whoever shows a hit reads it from its table again.

import type Database from 'better-sqlite3'
import { INDEXED_UNITS } from './text.ts'

export type DocumentKind = 'prompt' | 'result' | 'log' | 'return'

/** Given a run and the document's `ref` (search_documents): its text as JSON, the beginning of a long one. */
const SQL: Record<DocumentKind, string> = {
  prompt: select('prompt', 'prompt_blob', 'calls WHERE run_id = ? AND agent = ?'),
  result: select('result', 'result_blob', 'journal WHERE run_id = ? AND agent = ?'),
  // `->` gives the message as JSON, like the other texts, and would fail on a damaged event.
  log: `SELECT CASE WHEN json_valid(json) THEN json -> '$.message' END FROM (
      SELECT coalesce(data, (SELECT data FROM blobs WHERE hash = data_blob)) AS json FROM events WHERE run_id = ? AND seq = ?
    )`,
  return: select('value', 'value_blob', 'results WHERE run_id = ? AND ? = 0'),
}

function select(value: string, blob: string, from: string): string {
  return `SELECT substr(coalesce(${value}, (SELECT data FROM blobs WHERE hash = ${blob})), 1, ${INDEXED_UNITS}) FROM ${from}`
}

/** Undefined for a text that is not there, or not readable any more. */
export type ReadDocument = (kind: DocumentKind, runId: string, ref: number) => string | undefined

export function createDocumentReader(db: Database.Database): ReadDocument {
  const prepare = (kind: DocumentKind) => db.prepare<[string, number], string | null>(SQL[kind]).pluck()
  const statements = {
    prompt: prepare('prompt'),
    result: prepare('result'),
    log: prepare('log'),
    return: prepare('return'),
  }
  return (kind, runId, ref) => statements[kind].get(runId, ref) ?? undefined
}
