import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { APPLICATION_ID, openReadonly, openWritable } from '../../../src/store/database/open-database.ts'
import { MIGRATIONS } from '../../../src/store/migrations/index.ts'
import { makeFolder } from '../../support/store/store-helpers.ts'

function open(file: string): Database.Database {
  const db = openWritable({ file, busyTimeoutMs: 100 })
  onTestFinished(() => void db.close())
  return db
}

test('a new file gets the latest schema, a write-ahead log, full syncs, references and our mark', () => {
  const db = open(join(makeFolder(), 'weft.db'))
  const pragma = (name: string): unknown => db.pragma(name, { simple: true })
  expect({
    version: pragma('user_version'),
    application: pragma('application_id'),
    journal: pragma('journal_mode'),
    synchronous: pragma('synchronous'),
    foreignKeys: pragma('foreign_keys'),
    autoVacuum: pragma('auto_vacuum'),
    busyTimeout: pragma('busy_timeout'),
  }).toEqual({
    version: MIGRATIONS.at(-1)?.version,
    application: APPLICATION_ID,
    journal: 'wal',
    synchronous: 2,
    foreignKeys: 1,
    autoVacuum: 2,
    busyTimeout: 100,
  })
})

test('every table of ours is STRICT', () => {
  const db = open(join(makeFolder(), 'weft.db'))
  const loose = db
    .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0")
    .pluck()
    .all()
  expect(loose).toEqual(['sqlite_schema'])
})

test('a file that is no database is refused in words and keeps its bytes', () => {
  const file = join(makeFolder(), 'weft.db')
  writeFileSync(file, 'these are my notes, '.repeat(500))
  const before = readFileSync(file)
  expect(() => open(file)).toThrow(
    expect.objectContaining({
      code: 'NOT_A_DATABASE',
      message: expect.stringContaining(`${file} is not a SQLite database`),
    }),
  )
  expect(readFileSync(file).equals(before)).toBe(true)
})

test('a database of another program is refused and keeps its bytes', () => {
  const file = join(makeFolder(), 'weft.db')
  const other = new Database(file)
  other.exec('CREATE TABLE bookmarks (url TEXT)')
  other.close()
  const before = readFileSync(file)
  expect(() => open(file)).toThrow(expect.objectContaining({ code: 'FOREIGN_DATABASE' }))
  expect(readFileSync(file).equals(before)).toBe(true)
})

test('a database of a newer version is refused for writing and for reading, with both numbers', () => {
  const file = join(makeFolder(), 'weft.db')
  const db = openWritable({ file, busyTimeoutMs: 100 })
  db.pragma('user_version = 999')
  db.close()
  const refusal = expect.objectContaining({
    code: 'FROM_FUTURE',
    message: expect.stringMatching(/schema is 999.*up to \d/),
  })
  expect(() => open(file)).toThrow(refusal)
  expect(() => openReadonly({ file, busyTimeoutMs: 100 })).toThrow(refusal)
})

test('a database whose first page is damaged is refused in words and left where it is', () => {
  const file = join(makeFolder(), 'weft.db')
  openWritable({ file, busyTimeoutMs: 100 }).close()
  const bytes = readFileSync(file)
  // Page 1 holds the schema's tree; its type byte is at 100.
  bytes.fill(0xff, 100, 400)
  writeFileSync(file, bytes)
  expect(() => open(file)).toThrow(
    expect.objectContaining({ code: 'DAMAGED', message: expect.stringContaining('is damaged') }),
  )
  expect(readFileSync(file).equals(bytes)).toBe(true)
})

test('a folder that is not there is an error in words', () => {
  expect(() => open(join(makeFolder(), 'nowhere', 'weft.db'))).toThrow(expect.objectContaining({ name: 'StoreError' }))
})

test('a reading connection can not write', () => {
  const file = join(makeFolder(), 'weft.db')
  open(file)
  const reader = openReadonly({ file, busyTimeoutMs: 100 })
  onTestFinished(() => void reader.close())
  expect(() => reader.exec("INSERT INTO settings (name, value) VALUES ('a', '1')")).toThrow(/readonly/)
})
