// Brings a database up to date, all steps in one transaction, after putting a copy of it aside.

import { existsSync, rmSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { StoreError, toStoreError } from '../errors.ts'
import type { Migration } from '../migrations/index.ts'
import { createPrivateFile } from './private-file.ts'

/** Throws StoreError MIGRATION; the database is then as it was. */
export function migrate(
  db: Database.Database,
  file: string,
  migrations: readonly Migration[],
  applicationId: number,
): void {
  const before = readVersion(db)
  if (migrations.every((migration) => migration.version <= before)) return
  const copy = before > 0 ? copyAside(db, file, before) : undefined
  // Steps may rebuild tables; references are checked once they are all done.
  db.pragma('foreign_keys = OFF')
  let current = 'the first step'
  try {
    db.transaction(() => {
      // Read again under the write lock: another process may have done it meanwhile.
      const version = readVersion(db)
      for (const migration of migrations) {
        if (migration.version <= version) continue
        current = migration.name
        db.exec(migration.sql)
        db.pragma(`user_version = ${migration.version}`)
      }
      const dangling = db.pragma('foreign_key_check')
      if (Array.isArray(dangling) && dangling.length > 0)
        throw new Error(`${dangling.length} rows refer to something that is not there`)
      db.pragma(`application_id = ${applicationId}`)
    }).immediate()
  } catch (error) {
    const { message } = toStoreError(error, file)
    throw new StoreError(
      'MIGRATION',
      `Updating the database from schema ${before} failed at ${current}; it is as it was` +
        `${copy === undefined ? '' : `, and a copy is at ${copy}`}. ${message}`,
      { cause: error },
    )
  }
}

function readVersion(db: Database.Database): number {
  return Number(db.pragma('user_version', { simple: true }))
}

// Through SQLite, so that what is still in the write-ahead log is in the copy too.
function copyAside(db: Database.Database, file: string, version: number): string {
  const copy = freeName(`${file}.schema-${version}.backup`)
  createPrivateFile(copy)
  try {
    db.prepare('VACUUM INTO ?').run(copy)
  } catch (error) {
    rmSync(copy, { force: true })
    throw error
  }
  return copy
}

function freeName(name: string): string {
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? name : `${name}-${n}`
    if (!existsSync(candidate)) return candidate
  }
}
