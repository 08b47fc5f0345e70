// Reads of runs: one row, lists with filters, the script and the return value.

import type Database from 'better-sqlite3'
import { asRunId, asScriptHash, type RunId, type RunRow, type ScriptHash } from '../../shared/index.ts'
import { fromStoredRun, type StoredRun } from '../runs/run-row.ts'
import type { RunQuery } from '../store.ts'

const COLUMNS = `run_id, workflow, title, status, degraded, simulated, workspace, script_path, backend, started_by,
  resumed_from, started_at, ended_at, agents, calls, output_tokens, cost_usd, error`

const DEFAULT_LIMIT = 200

export const RUN_SQL = {
  row: `SELECT ${COLUMNS} FROM runs WHERE run_id = ? AND started_at IS NOT NULL`,
  exists: 'SELECT 1 FROM runs WHERE run_id = ?',
  script: `SELECT scripts.text, runs.file_name, runs.script_hash
    FROM runs JOIN scripts ON scripts.hash = runs.script_hash WHERE runs.run_id = ?`,
  result: 'SELECT coalesce(value, (SELECT data FROM blobs WHERE hash = value_blob)) FROM results WHERE run_id = ?',
  unended: 'SELECT run_id FROM runs WHERE ended_at IS NULL ORDER BY run_id',
  pinned: 'SELECT run_id FROM runs WHERE pinned = 1 ORDER BY run_id',
  expendable: `SELECT run_id FROM runs
    WHERE ended_at IS NOT NULL AND pinned = 0 AND ended_at < ? ORDER BY ended_at LIMIT ?`,
} as const

/** The two statements of a list: one page of rows, newest first, and how many there are in all. */
export function toListSql(query: RunQuery): { rows: string; total: string; values: (string | number)[] } {
  const terms = ['started_at IS NOT NULL']
  const values: (string | number)[] = []
  if (query.workspace !== undefined) {
    terms.push('workspace = ?')
    values.push(query.workspace)
  }
  if (query.workflow !== undefined) {
    terms.push('workflow = ?')
    values.push(query.workflow)
  }
  if (query.status !== undefined) {
    terms.push(`status IN (${query.status.map(() => '?').join(', ')})`)
    values.push(...query.status)
  }
  if (query.text !== undefined) {
    terms.push(`contains_text(?, workflow, title, run_id, error)`)
    values.push(query.text.toLowerCase())
  }
  if (query.since !== undefined) {
    terms.push('started_at >= ?')
    values.push(query.since)
  }
  if (query.until !== undefined) {
    terms.push('started_at < ?')
    values.push(query.until)
  }
  if (query.startedBy !== undefined) {
    terms.push("started_by ->> '$.kind' = ?")
    values.push(query.startedBy)
  }
  const where = `FROM runs WHERE ${terms.join(' AND ')}`
  return {
    rows: `SELECT ${COLUMNS}, pinned ${where} ORDER BY started_at DESC, run_id DESC LIMIT ? OFFSET ?`,
    total: `SELECT count(*) ${where}`,
    values,
  }
}

function containsText(wanted: unknown, ...texts: unknown[]): number {
  const found = texts.some((text) => typeof text === 'string' && text.toLowerCase().includes(String(wanted)))
  return Number(found)
}

export class RunQueries {
  readonly #db: Database.Database
  readonly #lists = new Map<string, Database.Statement>()
  readonly #row: Database.Statement<[string], StoredRun>
  readonly #exists: Database.Statement<[string], number>
  readonly #script: Database.Statement<[string], { text: string; file_name: string; script_hash: string }>
  readonly #result: Database.Statement<[string], string>
  readonly #unended: Database.Statement<[], string>
  readonly #pinned: Database.Statement<[], string>
  readonly #expendable: Database.Statement<[number, number], string>

  constructor(db: Database.Database) {
    this.#db = db
    // SQLite's own functions know the cases of ASCII letters alone.
    db.function('contains_text', { varargs: true, deterministic: true }, containsText)
    this.#row = db.prepare(RUN_SQL.row)
    this.#exists = db.prepare<[string], number>(RUN_SQL.exists).pluck()
    this.#script = db.prepare(RUN_SQL.script)
    this.#result = db.prepare<[string], string>(RUN_SQL.result).pluck()
    this.#unended = db.prepare<[], string>(RUN_SQL.unended).pluck()
    this.#pinned = db.prepare<[], string>(RUN_SQL.pinned).pluck()
    this.#expendable = db.prepare<[number, number], string>(RUN_SQL.expendable).pluck()
  }

  row(runId: RunId): RunRow | undefined {
    const stored = this.#row.get(runId)
    return stored && fromStoredRun(stored)
  }

  exists(runId: RunId): boolean {
    return this.#exists.get(runId) !== undefined
  }

  list(query: RunQuery): { runs: RunRow[]; total: number; pinned: RunId[] } {
    const sql = toListSql(query)
    const page = this.#list(sql.rows).all(...sql.values, query.limit ?? DEFAULT_LIMIT, query.offset ?? 0)
    // The statement selects exactly the columns of StoredRun, and whether it is pinned.
    const stored = page as (StoredRun & { pinned: number })[]
    return {
      runs: stored.map(fromStoredRun),
      pinned: stored.filter(({ pinned }) => pinned === 1).map(({ run_id }) => asRunId(run_id)),
      total: Number(
        this.#list(sql.total)
          .pluck()
          .get(...sql.values),
      ),
    }
  }

  script(runId: RunId): { text: string; fileName: string; hash: ScriptHash } | undefined {
    const stored = this.#script.get(runId)
    if (stored === undefined) return undefined
    return { text: String(JSON.parse(stored.text)), fileName: stored.file_name, hash: asScriptHash(stored.script_hash) }
  }

  resultJson(runId: RunId): string | null {
    return this.#result.get(runId) ?? null
  }

  unended(): RunId[] {
    return this.#unended.all().map(asRunId)
  }

  pinned(): RunId[] {
    return this.#pinned.all().map(asRunId)
  }

  /** Ended runs that are not pinned, the oldest first. */
  expendable(endedBefore: number, limit: number): RunId[] {
    return this.#expendable.all(endedBefore, limit).map(asRunId)
  }

  // There are few combinations of filters, so each keeps its statement.
  #list(sql: string): Database.Statement {
    let statement = this.#lists.get(sql)
    if (statement === undefined) this.#lists.set(sql, (statement = this.#db.prepare(sql)))
    return statement
  }
}
