// Full-text search: which texts match, newest first, each with the words around the first match.

import type Database from 'better-sqlite3'
import { asAgentNumber, asRunId, cutText, tailText, toPreview } from '../../shared/index.ts'
import type { DocumentKind } from '../search/indexer.ts'
import { INDEXED_UNITS, jsonToWords, splitQuery, toMatchExpression } from '../search/text.ts'
import type { SearchHit } from '../store.ts'

export const SEARCH_SQL = {
  match: `SELECT search_documents.run_id, search_documents.kind, search_documents.ref
    FROM search_index JOIN search_documents ON search_documents.id = search_index.rowid
    WHERE search_index MATCH ? ORDER BY search_index.rowid DESC LIMIT ?`,
} as const

const BEFORE_UNITS = 60
const SNIPPET_UNITS = 200

// `->` gives a log line's message as JSON text, like the other texts.
const TEXTS: Record<DocumentKind, string> = {
  prompt: text('prompt', 'prompt_blob', 'calls WHERE run_id = ? AND agent = ?'),
  result: text('result', 'result_blob', 'journal WHERE run_id = ? AND agent = ?'),
  log: "SELECT coalesce(data, (SELECT data FROM blobs WHERE hash = data_blob)) -> '$.message' FROM events WHERE run_id = ? AND seq = ?",
  return: text('value', 'value_blob', 'results WHERE run_id = ? AND 0 = ?'),
}

function text(value: string, blob: string, from: string): string {
  return `SELECT substr(coalesce(${value}, (SELECT data FROM blobs WHERE hash = ${blob})), 1, ${INDEXED_UNITS}) FROM ${from}`
}

export class SearchQueries {
  readonly #match: Database.Statement<[string, number], { run_id: string; kind: DocumentKind; ref: number }>
  readonly #texts: Record<DocumentKind, Database.Statement<[string, number], string>>

  constructor(db: Database.Database) {
    const pluck = (sql: string) => db.prepare<[string, number], string>(sql).pluck()
    this.#match = db.prepare(SEARCH_SQL.match)
    this.#texts = {
      prompt: pluck(TEXTS.prompt),
      result: pluck(TEXTS.result),
      log: pluck(TEXTS.log),
      return: pluck(TEXTS.return),
    }
  }

  search(query: string, limit: number): SearchHit[] {
    const expression = toMatchExpression(query)
    if (expression === undefined) return []
    const words = splitQuery(query).map((term) => term.words.toLowerCase())
    return this.#match.all(expression, limit).map(({ run_id, kind, ref }) => ({
      runId: asRunId(run_id),
      kind,
      agent: kind === 'prompt' || kind === 'result' ? asAgentNumber(ref) : null,
      seq: kind === 'log' ? ref : null,
      snippet: toSnippet(jsonToWords(this.#texts[kind].get(run_id, ref) ?? ''), words),
    }))
  }
}

/** One line with the first of `words` in it; the beginning where none is found as it was typed (accents, for example). */
export function toSnippet(body: string, words: readonly string[]): string {
  const lower = body.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0)
  const first = places.length > 0 ? Math.min(...places) : 0
  // Lower case is longer than the text in a few scripts; the place is then a little off, and never outside.
  const before = toPreview(tailText(body.slice(0, first), BEFORE_UNITS), BEFORE_UNITS)
  const after = toPreview(cutText(body.slice(first), SNIPPET_UNITS), SNIPPET_UNITS - BEFORE_UNITS)
  const gap = /\s$/.test(body.slice(0, first)) && before !== '' ? ' ' : ''
  return `${first > BEFORE_UNITS ? '…' : ''}${before}${gap}${after}`
}
