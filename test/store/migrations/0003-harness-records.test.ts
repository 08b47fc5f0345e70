import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openWritable } from '../../../src/store/database/open-database.ts'
import { initial } from '../../../src/store/migrations/0001-initial.ts'
import { search } from '../../../src/store/migrations/0002-search.ts'
import { harnessRecords } from '../../../src/store/migrations/0003-harness-records.ts'
import { makeFolder } from '../../support/store/store-helpers.ts'

test('runs of a database from before have no record, and a record goes with its run', () => {
  const file = join(makeFolder(), 'weft.db')
  const old = openWritable({ file, busyTimeoutMs: 100, migrations: [initial, search] })
  old.exec(`INSERT INTO scripts (hash, text) VALUES ('h', '""');
    INSERT INTO runs (run_id, script_hash, file_name, workflow) VALUES ('r', 'h', 'a.js', 'a');`)
  old.close()
  const db = openWritable({ file, busyTimeoutMs: 100, migrations: [initial, search, harnessRecords] })
  onTestFinished(() => void db.close())
  const count = db.prepare('SELECT count(*) FROM harness_records').pluck()
  expect(count.get()).toBe(0)
  db.exec(`INSERT INTO harness_records (run_id, seq, session, data) VALUES ('r', 1, 's', '{}'); DELETE FROM runs;`)
  expect(count.get()).toBe(0)
})
