// Full-text search: which texts match, newest first, each with the words around the first match.

import type Database from 'better-sqlite3'
import { asAgentNumber, asRunId, cutText, tailText, toPreview, type SearchHit } from '../../shared/index.ts'
import { createDocumentReader, type DocumentKind, type ReadDocument } from '../search/document-text.ts'
import { jsonToWords, splitQuery, toMatchExpression } from '../search/text.ts'

export const SEARCH_SQL = {
  match: `SELECT search_documents.run_id, search_documents.kind, search_documents.ref
    FROM search_index JOIN search_documents ON search_documents.id = search_index.rowid
    WHERE search_index MATCH ? ORDER BY search_index.rowid DESC LIMIT ?`,
  more: 'SELECT 1 FROM search_index WHERE search_index MATCH ? LIMIT 1 OFFSET ?',
} as const

/** A word that so many texts have is not looked for as the beginning of others: these would take longest to gather. */
const COMMON_TEXTS = 2000

const BEFORE_UNITS = 60
const SNIPPET_UNITS = 200

interface StoredHit {
  run_id: string
  kind: DocumentKind
  ref: number
}

export class SearchQueries {
  readonly #match: Database.Statement<[string, number], StoredHit>
  readonly #more: Database.Statement<[string, number], number>
  readonly #read: ReadDocument

  constructor(db: Database.Database) {
    this.#match = db.prepare(SEARCH_SQL.match)
    this.#more = db.prepare<[string, number], number>(SEARCH_SQL.more).pluck()
    this.#read = createDocumentReader(db)
  }

  search(query: string, limit: number): SearchHit[] {
    const words = splitQuery(query).map((term) => term.words.toLowerCase())
    return this.#find(query, limit).map(({ run_id, kind, ref }) => ({
      runId: asRunId(run_id),
      kind,
      agent: kind === 'prompt' || kind === 'result' ? asAgentNumber(ref) : null,
      seq: kind === 'log' ? ref : null,
      snippet: toSnippet(jsonToWords(this.#read(kind, run_id, ref) ?? ''), words),
    }))
  }

  // Whole words are found page by page, beginnings of words only by going through all that begin so. For a common word the
  // first is enough and a hundred times quicker; a rare one costs little either way.
  #find(query: string, limit: number): StoredHit[] {
    const exact = toMatchExpression(query, () => false)
    if (exact === undefined) return []
    const hits = this.#match.all(exact, limit)
    if (hits.length === limit) return hits
    const open = toMatchExpression(query, (word) => this.#more.get(word, COMMON_TEXTS) === undefined)
    return open === undefined || open === exact ? hits : this.#match.all(open, limit)
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
