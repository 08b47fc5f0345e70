import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openWritable } from '../../../src/store/database/open-database.ts'
import type { Migration } from '../../../src/store/migrations/index.ts'
import { makeFolder } from '../../support/store/store-helpers.ts'

const first: Migration = { version: 1, name: '0001-notes', sql: 'CREATE TABLE notes (text TEXT NOT NULL) STRICT;' }
const second: Migration = { version: 2, name: '0002-date', sql: 'ALTER TABLE notes ADD COLUMN at REAL;' }

function open(file: string, migrations: readonly Migration[]): Database.Database {
  return openWritable({ file, busyTimeoutMs: 100, migrations })
}

function readNotes(file: string): unknown[] {
  const db = new Database(file, { readonly: true })
  try {
    return db.prepare('SELECT * FROM notes').all()
  } finally {
    db.close()
  }
}

test('before it migrates, the database is copied aside with what was still in its write-ahead log', () => {
  const file = join(makeFolder(), 'weft.db')
  const old = open(file, [first])
  old.prepare('INSERT INTO notes VALUES (?)').run('kept')
  // Still open, so that the row is in the log and not yet in the file.
  const migrated = open(file, [first, second])
  old.close()
  migrated.close()
  expect(readNotes(file)).toEqual([{ text: 'kept', at: null }])
  expect(readNotes(`${file}.schema-1.backup`)).toEqual([{ text: 'kept' }])
  if (process.platform !== 'win32') expect(statSync(`${file}.schema-1.backup`).mode & 0o777).toBe(0o600)
})

test('a copy from an earlier attempt is never overwritten', () => {
  const file = join(makeFolder(), 'weft.db')
  open(file, [first]).close()
  new Database(`${file}.schema-1.backup`).exec('CREATE TABLE mine (a)').close()
  open(file, [first, second]).close()
  expect(existsSync(`${file}.schema-1.backup-2`)).toBe(true)
})

test('a migration that fails leaves the database as it was and says where the copy is', () => {
  const file = join(makeFolder(), 'weft.db')
  const old = open(file, [first])
  old.prepare('INSERT INTO notes VALUES (?)').run('kept')
  old.close()
  const broken: Migration = { version: 3, name: '0003-broken', sql: 'CREATE TABLE a (b TEXT) STRICT; SELECT nonsense;' }
  expect(() => open(file, [first, second, broken])).toThrow(
    expect.objectContaining({
      code: 'MIGRATION',
      message: expect.stringMatching(/from schema 1 failed at 0003-broken; it is as it was, and a copy is at .*backup/),
    }),
  )
  expect(readNotes(file)).toEqual([{ text: 'kept' }])
})

test('a migration that leaves a reference to nothing is undone', () => {
  const file = join(makeFolder(), 'weft.db')
  open(file, [first]).close()
  const dangling: Migration = {
    version: 2,
    name: '0002-dangling',
    sql: `CREATE TABLE pages (id INTEGER PRIMARY KEY) STRICT;
      CREATE TABLE lines (page INTEGER NOT NULL REFERENCES pages (id)) STRICT; INSERT INTO lines VALUES (7);`,
  }
  expect(() => open(file, [first, dangling])).toThrow(/0002-dangling.*1 rows refer to something that is not there/)
})

test('a database that is up to date is neither copied nor changed', () => {
  const folder = makeFolder()
  const file = join(folder, 'weft.db')
  open(file, [first, second]).close()
  open(file, [first, second]).close()
  expect(readdirSync(folder)).toEqual(['weft.db'])
})
