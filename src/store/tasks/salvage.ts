// Saves what can be read of a damaged database into a new one. The original is only read. What comes out obeys every rule
// again: a log that lost an event is cut before it, and its run is left open, for the recovery to end it as interrupted.

import { existsSync, rmSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { openReadonly, openWritable } from '../database/open-database.ts'
import { createPrivateFile } from '../database/private-file.ts'
import { toStoreError } from '../errors.ts'
import type { SalvageReport } from '../store.ts'
import { refuseExisting, settleFile } from './files.ts'

// Parents before children; `since` is the schema that brought the table. The search index is not copied: it is made anew.
const TABLES: readonly (readonly [table: string, order: string, since?: number])[] = [
  ['scripts', 'rowid'],
  ['runs', 'rowid'],
  ['blobs', 'rowid'],
  ['blob_uses', 'run_id, hash'],
  ['events', 'run_id, seq'],
  ['calls', 'run_id, agent'],
  ['journal', 'run_id, agent'],
  ['results', 'rowid'],
  ['settings', 'name'],
  ['approvals', 'hash'],
  ['harness_records', 'run_id, seq', 3],
]

/** Throws StoreError: CONFLICT when `target` exists, DAMAGED when not even the table of tables can be read. */
export function salvage(options: { file: string; busyTimeoutMs: number }, target: string): SalvageReport {
  refuseExisting(target)
  const partial = `${target}.partial`
  for (const name of [partial, `${partial}-wal`, `${partial}-shm`]) rmSync(name, { force: true })
  const source = openReadonly(options)
  try {
    createPrivateFile(partial)
    const copy = openWritable({ file: partial, busyTimeoutMs: options.busyTimeoutMs })
    try {
      copy.pragma('foreign_keys = OFF')
      const version = Number(source.pragma('user_version', { simple: true }))
      const lost = TABLES.flatMap(([table, order, since = 1]) =>
        // A log that lost its beginning has the version of none.
        version !== 0 && version < since ? [] : copyTable(source, copy, table, order),
      )
      const cut = copy.transaction(() => putInOrder(copy))()
      const runs = Number(copy.prepare('SELECT count(*) FROM runs').pluck().get())
      copy.close()
      settleFile(partial, target)
      return { runs, lost, cut }
    } finally {
      copy.close()
    }
  } finally {
    source.close()
    if (existsSync(partial)) rmSync(partial)
  }
}

/** Copies a table from both ends, up to where the damage is. Returns what stopped it, in words. */
function copyTable(source: Database.Database, copy: Database.Database, table: string, order: string): string[] {
  const columnsOf = (db: Database.Database): string[] =>
    db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table)
  const known = new Set(columnsOf(copy))
  // An older schema has fewer columns; those it lacks get their defaults.
  const columns = columnsOf(source).filter((name) => known.has(name))
  // A log that lost its beginning may have lost the very table.
  if (columns.length === 0) return [`${table}: it is not there any more`]
  const places = columns.map(() => '?').join(', ')
  const insert = copy.prepare(`INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${places})`)
  const copyInOrder = (ordering: string): string | undefined => {
    copy.exec('BEGIN')
    try {
      const rows = source
        .prepare<[], unknown[]>(`SELECT ${columns.join(', ')} FROM ${table} ORDER BY ${ordering}`)
        .raw()
      for (const row of rows.iterate()) insert.run(...row)
      return undefined
    } catch (error) {
      return toStoreError(error, source.name).message
    } finally {
      copy.exec('COMMIT')
    }
  }
  const stopped = copyInOrder(order)
  if (stopped === undefined) return []
  const backwards = order
    .split(', ')
    .map((name) => `${name} DESC`)
    .join(', ')
  copyInOrder(backwards)
  return [`${table}: ${stopped}`]
}

const BLOB_COLUMNS: readonly (readonly [table: string, column: string])[] = [
  ['events', 'data_blob'],
  ['calls', 'prompt_blob'],
  ['calls', 'options_blob'],
  ['journal', 'result_blob'],
  ['results', 'value_blob'],
]

/** Makes the copy obey the rules. Returns the runs that lost a part of their log. */
function putInOrder(copy: Database.Database): SalvageReport['cut'] {
  for (const table of ['events', 'calls', 'journal', 'results', 'blob_uses', 'harness_records'])
    copy.exec(`DELETE FROM ${table} WHERE run_id NOT IN (SELECT run_id FROM runs)`)
  for (const [table, column] of BLOB_COLUMNS)
    copy.exec(`DELETE FROM ${table} WHERE ${column} IS NOT NULL AND ${column} NOT IN (SELECT hash FROM blobs)`)
  copy.exec('DELETE FROM blob_uses')
  for (const [table, column] of BLOB_COLUMNS)
    copy.exec(`INSERT OR IGNORE INTO blob_uses SELECT run_id, ${column} FROM ${table} WHERE ${column} IS NOT NULL`)
  copy.exec(`
    DELETE FROM blobs WHERE hash NOT IN (SELECT hash FROM blob_uses);
    INSERT OR IGNORE INTO scripts SELECT script_hash, '"// lost with the damaged part of the database"' FROM runs;
    DELETE FROM scripts WHERE hash NOT IN (SELECT script_hash FROM runs);
    UPDATE runs SET indexed = 0;`)
  // Numbered by rank, an event is at its place while its number is its rank: what comes after a gap is not.
  for (const table of ['events', 'harness_records'])
    copy.exec(`
      CREATE TEMP TABLE misplaced AS SELECT run_id, seq FROM
        (SELECT run_id, seq, row_number() OVER (PARTITION BY run_id ORDER BY seq) AS rank FROM ${table}) WHERE seq <> rank;
      DELETE FROM ${table} WHERE (run_id, seq) IN (SELECT run_id, seq FROM misplaced);
      DROP TABLE misplaced;`)
  const open = `ended_at IS NOT NULL AND NOT EXISTS
    (SELECT 1 FROM events WHERE events.run_id = runs.run_id AND type = 'run-ended')`
  const cut = copy.prepare<[], string>(`SELECT run_id FROM runs WHERE ${open} ORDER BY run_id`).pluck().all()
  copy.exec(`UPDATE runs SET status = 'running', ended_at = NULL WHERE ${open}`)
  return cut
}
