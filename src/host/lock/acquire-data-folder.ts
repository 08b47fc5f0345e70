// One host writes a data folder. The lock is an exclusive SQLite transaction on a file of its own: the kernel gives it back
// with the process that held it, however that ended. `owner.json` only tells people (and clients) who it is.

import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { makePrivateFile } from '../lib/private-files.ts'
import { readOwner, type DataFolderOwner } from './read-owner.ts'

export interface DataFolderLock {
  /** Writes the owner file. */
  announce(owner: DataFolderOwner): void
  /** Removes the owner file and gives the lock back. Idempotent. */
  release(): void
}

export type Acquisition =
  | { held: true; lock: DataFolderLock }
  /** `owner` is undefined when the other host has not announced itself yet. */
  | { held: false; owner: DataFolderOwner | undefined }

/** Takes the data folder, which is created (0700) when missing, or says who has it. */
export function acquireDataFolder(dataDir: string): Acquisition {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const lockFile = join(dataDir, 'lock.db')
  makePrivateFile(lockFile)
  const database = lockOrEmpty(lockFile)
  if (database === undefined) return { held: false, owner: readOwner(dataDir) }
  const file = join(dataDir, 'owner.json')
  // What an owner that was killed left behind says nothing about us.
  rmSync(file, { force: true })
  return {
    held: true,
    lock: {
      announce: (owner) => writeFileSync(file, `${JSON.stringify(owner)}\n`, { mode: 0o600 }),
      release() {
        if (!database.open) return
        rmSync(file, { force: true })
        database.close()
      },
    },
  }
}

/**
 * The lock file never holds anything, so one that a disk spoilt is emptied, in place: a host that held it would have made it
 * busy before its bytes were looked at. Undefined when another has it.
 */
function lockOrEmpty(file: string): Database.Database | undefined {
  try {
    return lock(file)
  } catch (error) {
    if (!isSpoilt(error)) throw error
    rmSync(`${file}-journal`, { force: true })
    truncateSync(file)
    return lock(file)
  }
}

function lock(file: string): Database.Database | undefined {
  const database = new Database(file, { timeout: 0 })
  try {
    // A rollback journal: in WAL mode an exclusive transaction would keep nobody from opening another one to read.
    database.pragma('journal_mode = DELETE')
    database.exec('BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database.close()
    if (isBusy(error)) return undefined
    throw error
  }
}

/** The owner in words, for errors. */
export function describeOwner(owner: DataFolderOwner | undefined): string {
  if (owner === undefined) return 'another Weft host that is just starting'
  return `another Weft host (pid ${owner.pid}, version ${owner.version}${owner.socket ? `, socket ${owner.socket}` : ''})`
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
}

function isSpoilt(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(?:NOTADB|CORRUPT)/.test(error.code)
}
