// What is recorded of runs that harnesses started, by the harness's session.

import type { Migration } from './migration.ts'

export const harnessRecords: Migration = {
  version: 3,
  name: '0003-harness-records',
  sql: `
CREATE TABLE harness_records (
  run_id TEXT NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
  -- From 1 without gaps.
  seq INTEGER NOT NULL,
  session TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (run_id, seq)
) STRICT, WITHOUT ROWID;
`,
}
