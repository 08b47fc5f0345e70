import { join } from 'node:path'
import type Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openWritable } from '../../../src/store/database/open-database.ts'
import { initial } from '../../../src/store/migrations/0001-initial.ts'
import { makeFolder } from '../../support/store/store-helpers.ts'

function open(): Database.Database {
  const db = openWritable({ file: join(makeFolder(), 'weft.db'), busyTimeoutMs: 100, migrations: [initial] })
  onTestFinished(() => void db.close())
  db.exec(`INSERT INTO scripts (hash, text) VALUES ('h', '"return 1"');
    INSERT INTO runs (run_id, script_hash, file_name, workflow) VALUES ('r', 'h', 'a.js', 'a');`)
  return db
}

test('it makes the tables of runs and of what belongs to them', () => {
  const tables = open()
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .pluck()
    .all()
  const expected = [
    'approvals',
    'blob_uses',
    'blobs',
    'calls',
    'events',
    'journal',
    'results',
    'runs',
    'scripts',
    'settings',
  ]
  expect(tables).toEqual(expected)
})

test.each([
  [
    'an event of an unknown run',
    "INSERT INTO events (run_id, seq, type, data) VALUES ('x', 1, 'log', '{}')",
    /FOREIGN KEY/,
  ],
  ['an event numbered 0', "INSERT INTO events (run_id, seq, type, data) VALUES ('r', 0, 'log', '{}')", /CHECK/],
  ['an event without data', "INSERT INTO events (run_id, seq, type) VALUES ('r', 1, 'log')", /CHECK/],
  [
    'a run whose script is not stored',
    "INSERT INTO runs (run_id, script_hash, file_name, workflow) VALUES ('s', '?', 'a', 'a')",
    /FOREIGN KEY/,
  ],
  ['a status that does not exist', "UPDATE runs SET status = 'finished' WHERE run_id = 'r'", /CHECK/],
  ['text where a number belongs', "UPDATE runs SET agents = 'three' WHERE run_id = 'r'", /cannot store TEXT/],
  [
    'a journal row with an unknown outcome',
    `INSERT INTO journal (run_id, agent, path, key, outcome, result, duration_ms, started_seq, origin)
     VALUES ('r', 1, '/agent:0', 'k', 'done', 'null', 1, 1, 'r')`,
    /CHECK/,
  ],
])('%s is refused', (_what, sql, reason) => {
  expect(() => open().exec(sql)).toThrow(reason)
})

test('deleting a run deletes what belongs to it', () => {
  const db = open()
  db.exec(`INSERT INTO events (run_id, seq, type, data) VALUES ('r', 1, 'log', '{}');
    INSERT INTO results (run_id, value) VALUES ('r', '1'); DELETE FROM runs;`)
  const left = db.prepare('SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM results)').pluck().get()
  expect(left).toBe(0)
})
