import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openWritable } from '../../../src/store/database/open-database.ts'
import { initial } from '../../../src/store/migrations/0001-initial.ts'
import { search } from '../../../src/store/migrations/0002-search.ts'
import { makeFolder, openTestStore, runIdOf, until } from '../../support/store/store-helpers.ts'

test('runs of a database from before are marked as not indexed', () => {
  const file = join(makeFolder(), 'weft.db')
  const old = openWritable({ file, busyTimeoutMs: 100, migrations: [initial] })
  old.exec(`INSERT INTO scripts (hash, text) VALUES ('h', '""');
    INSERT INTO runs (run_id, script_hash, file_name, workflow) VALUES ('r', 'h', 'a.js', 'a');`)
  old.close()
  const db = openWritable({ file, busyTimeoutMs: 100, migrations: [initial, search] })
  onTestFinished(() => void db.close())
  expect(db.prepare('SELECT run_id, indexed FROM runs').all()).toEqual([{ run_id: 'r', indexed: 0 }])
})

test('texts written before there was an index are found once the database has been opened', async () => {
  const file = join(makeFolder(), 'weft.db')
  const old = openWritable({ file, busyTimeoutMs: 100, migrations: [initial] })
  const runId = runIdOf(1)
  old.exec(`INSERT INTO scripts (hash, text) VALUES ('h', '""');
    INSERT INTO runs (run_id, script_hash, file_name, workflow, ended_at) VALUES ('${runId}', 'h', 'a.js', 'a', 5);
    INSERT INTO calls (run_id, agent, path, key, prompt, options, started_seq)
      VALUES ('${runId}', 1, '/agent:0', 'k', '"look for herons"', '{}', 2);`)
  old.close()
  const { store } = await openTestStore({ file })
  await until(() => store.search('herons').length > 0)
  expect(store.search('herons')).toMatchObject([{ runId, kind: 'prompt', agent: 1, snippet: 'look for herons' }])
})
