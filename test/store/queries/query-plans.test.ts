// No query that a list, a view or a resume makes reads a whole table.

import { join } from 'node:path'
import type Database from 'better-sqlite3'
import { beforeAll, expect, test } from 'vitest'
import { openWritable } from '../../../src/store/database/open-database.ts'
import { CALL_SQL } from '../../../src/store/queries/call-queries.ts'
import { EVENT_SQL } from '../../../src/store/queries/event-queries.ts'
import { HISTORY_SQL } from '../../../src/store/queries/history-queries.ts'
import { RUN_SQL, toListSql } from '../../../src/store/queries/run-queries.ts'
import { SEARCH_SQL } from '../../../src/store/queries/search-queries.ts'
import { SETTING_SQL } from '../../../src/store/queries/setting-queries.ts'
import type { RunQuery } from '../../../src/store/index.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'

let db: Database.Database

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-plans-'))
  db = openWritable({ file: join(folder, 'weft.db'), busyTimeoutMs: 100 })
  return () => {
    db.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

function planOf(sql: string): string[] {
  const values = Array.from({ length: sql.split('?').length - 1 }, () => 1)
  const steps = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...values)
  return steps.map(({ detail }) => detail)
}

const SINGLE = { ...RUN_SQL, ...EVENT_SQL, ...CALL_SQL, ...HISTORY_SQL, ...SETTING_SQL }

test.each(Object.entries(SINGLE).filter(([name]) => !['unended', 'pinned'].includes(name)))(
  'the query "%s" goes straight to its rows, without sorting',
  (_name, sql) => {
    const steps = planOf(sql).filter((step) => !/^(SCALAR|CORRELATED)/.test(step))
    expect(steps).not.toEqual([])
    expect(steps.filter((step) => !step.startsWith('SEARCH'))).toEqual([])
  },
)

test.each([
  ['unended', RUN_SQL.unended, 'SCAN runs USING INDEX runs_unended'],
  ['pinned', RUN_SQL.pinned, 'SCAN runs USING COVERING INDEX runs_pinned'],
])('the query "%s" reads an index that holds only such runs', (_name, sql, step) => {
  expect(planOf(sql)).toEqual([step])
})

const LISTS: [string, RunQuery, string][] = [
  ['all runs', {}, 'SEARCH runs USING INDEX runs_by_start (started_at>?'],
  ['a workspace', { workspace: '/w' }, 'SEARCH runs USING INDEX runs_by_workspace (workspace=?'],
  ['a workflow', { workflow: 'w' }, 'SEARCH runs USING INDEX runs_by_workflow (workflow=?'],
  ['one status', { status: ['running'] }, 'SEARCH runs USING INDEX runs_by_status (status=?'],
]

test.each(LISTS)('the list of %s is read in order from an index', (_name, query, step) => {
  const plan = planOf(toListSql(query).rows)
  expect(plan).toEqual([expect.stringContaining(step)])
})

test("the earlier runs of a workflow are read in order from the workflows' index, whatever else ran in the workspace", () => {
  expect(planOf(HISTORY_SQL.realRuns)).toEqual([
    expect.stringContaining('SEARCH runs USING INDEX runs_by_workflow (workflow=?'),
  ])
})

const COMBINED: [string, RunQuery][] = [
  ['several statuses', { status: ['running', 'paused'] }],
  ['everything', { workspace: '/w', workflow: 'w', status: ['error', 'completed'] }],
]

test.each(COMBINED)('the list filtered by %s uses an index', (_name, query) => {
  expect(planOf(toListSql(query).rows)[0]).toMatch(/USING INDEX/)
  expect(planOf(toListSql(query).total)[0]).toMatch(/USING (COVERING )?INDEX/)
})

test('a search asks the full-text index, newest first, and finds its documents by their number', () => {
  const plan = planOf(SEARCH_SQL.match)
  expect(plan.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
  expect(plan).toEqual([
    expect.stringMatching(/^SCAN search_index VIRTUAL TABLE INDEX/),
    'SEARCH search_documents USING INTEGER PRIMARY KEY (rowid=?)',
  ])
})
