// Opens the database file: refuses what is not ours or not of our time, sets what SQLite needs to be told at each opening.

import { statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { StoreError, toStoreError } from '../errors.ts'
import { MIGRATIONS, type Migration } from '../migrations/index.ts'
import { countLostFrames } from './check-log.ts'
import { migrate } from './migrate.ts'

/** "Weft" in ASCII: marks the file as ours (`PRAGMA application_id`). */
export const APPLICATION_ID = 0x57656674

/** Once the log has been moved into the database, the log's file is cut down to this. */
const WAL_LIMIT_BYTES = 16 * 1024 * 1024

export interface OpenDatabaseOptions {
  file: string
  /** How long to wait for another process's lock. */
  busyTimeoutMs: number
  migrations?: readonly Migration[]
}

/** Opens for writing; creates and migrates. Throws StoreError; a file that can't be used is never changed or deleted. */
export function openWritable(options: OpenDatabaseOptions): Database.Database {
  const { file, busyTimeoutMs, migrations = MIGRATIONS } = options
  return opened(
    file,
    () => new Database(file, { timeout: busyTimeoutMs }),
    (db) => {
      const found = inspect(db, file, latest(migrations))
      if (found.fresh) db.pragma('auto_vacuum = INCREMENTAL')
      const mode = db.pragma('journal_mode = WAL', { simple: true })
      if (mode !== 'wal')
        throw new StoreError(
          'IO',
          `The database ${file} can't use a write-ahead log (journal mode is ${String(mode)}). Put it on a local disk.`,
        )
      db.pragma(`journal_size_limit = ${WAL_LIMIT_BYTES}`)
      db.pragma('synchronous = FULL')
      migrate(db, file, migrations, APPLICATION_ID)
      db.pragma('foreign_keys = ON')
    },
  )
}

/** A larger database is looked through only when its last host did not end in peace. */
const ALWAYS_CHECKED_BYTES = 32 * 1024 * 1024
const MOST_PROBLEMS = 5

/** Throws StoreError DAMAGED when the database or its log is not whole. Both are only read. */
export function checkWhole(options: OpenDatabaseOptions): void {
  const { file } = options
  const size = sizeOf(file)
  const logSize = sizeOf(`${file}-wal`)
  if (size === 0 && logSize === 0) return
  const lost = countLostFrames(file)
  if (lost > 0) throw damaged(file, [`${lost} pages that were written last are lost with a part of its log`])
  if (size > ALWAYS_CHECKED_BYTES && logSize === 0) return
  const db = openReadonly(options)
  try {
    const problems = db.prepare<[], string>(`PRAGMA quick_check(${MOST_PROBLEMS})`).pluck().all()
    if (problems.some((problem) => problem !== 'ok')) throw damaged(file, problems)
  } catch (error) {
    throw toStoreError(error, file)
  } finally {
    db.close()
  }
}

function damaged(file: string, problems: readonly string[]): StoreError {
  return new StoreError('DAMAGED', `The database ${file} is damaged: ${problems.join('; ')}.`)
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** Opens for reading only; the file has been opened by a writer before. Throws StoreError. */
export function openReadonly(options: OpenDatabaseOptions): Database.Database {
  const { file, busyTimeoutMs, migrations = MIGRATIONS } = options
  return opened(
    file,
    () => new Database(file, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs }),
    (db) => {
      inspect(db, file, latest(migrations))
    },
  )
}

function opened(
  file: string,
  open: () => Database.Database,
  setUp: (db: Database.Database) => void,
): Database.Database {
  let db: Database.Database | undefined
  try {
    db = open()
    setUp(db)
    return db
  } catch (error) {
    db?.close()
    throw toStoreError(error, file)
  }
}

function latest(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0
}

function inspect(db: Database.Database, file: string, known: number): { fresh: boolean } {
  const application = db.pragma('application_id', { simple: true })
  const version = Number(db.pragma('user_version', { simple: true }))
  const objects = Number(db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get())
  if (application === 0 && version === 0 && objects === 0) return { fresh: true }
  if (application !== APPLICATION_ID)
    throw new StoreError(
      'FOREIGN_DATABASE',
      `${file} is a database of another program. It was left as it is; move it away or name another file.`,
    )
  if (version > known)
    throw new StoreError(
      'FROM_FUTURE',
      `${file} was written by a newer version of Weft (its schema is ${version}, this version knows up to ${known}). ` +
        'It was left as it is; update Weft, or name another data folder.',
    )
  return { fresh: false }
}
