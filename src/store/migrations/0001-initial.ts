// Runs, their scripts, events, calls, journal and results; settings and approvals.
// Every value that may be long is JSON text, which keeps lone surrogates and NUL as escapes; above a size it goes to `blobs`,
// and the column beside it holds the hash. Run ids are ULIDs, so rows of new runs go to the end of each tree.

import type { Migration } from './migration.ts'

export const initial: Migration = {
  version: 1,
  name: '0001-initial',
  sql: `
CREATE TABLE scripts (
  hash TEXT NOT NULL PRIMARY KEY,
  text TEXT NOT NULL
) STRICT;

CREATE TABLE runs (
  run_id TEXT NOT NULL PRIMARY KEY,
  script_hash TEXT NOT NULL REFERENCES scripts (hash),
  file_name TEXT NOT NULL,
  workflow TEXT NOT NULL,
  title TEXT,
  status TEXT NOT NULL DEFAULT 'queued'
    CHECK (status IN ('queued', 'running', 'paused', 'completed', 'cancelled', 'error', 'interrupted')),
  degraded INTEGER NOT NULL DEFAULT 0,
  simulated INTEGER NOT NULL DEFAULT 0,
  dry INTEGER NOT NULL DEFAULT 0,
  workspace TEXT NOT NULL DEFAULT '',
  script_path TEXT,
  backend TEXT NOT NULL DEFAULT '',
  started_by TEXT,
  resumed_from TEXT,
  -- NULL until run-started is stored: such a run is not shown.
  started_at REAL,
  ended_at REAL,
  agents INTEGER NOT NULL DEFAULT 0,
  calls TEXT NOT NULL DEFAULT '{}',
  output_tokens REAL NOT NULL DEFAULT 0,
  cost_usd REAL,
  error TEXT,
  pinned INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX runs_by_start ON runs (started_at DESC, run_id DESC) WHERE started_at IS NOT NULL;
CREATE INDEX runs_by_workspace ON runs (workspace, started_at DESC, run_id DESC) WHERE started_at IS NOT NULL;
CREATE INDEX runs_by_workflow ON runs (workflow, started_at DESC, run_id DESC) WHERE started_at IS NOT NULL;
CREATE INDEX runs_by_status ON runs (status, started_at DESC, run_id DESC) WHERE started_at IS NOT NULL;
CREATE INDEX runs_unended ON runs (run_id) WHERE ended_at IS NULL;
CREATE INDEX runs_by_end ON runs (ended_at) WHERE ended_at IS NOT NULL AND pinned = 0;
CREATE INDEX runs_pinned ON runs (run_id) WHERE pinned = 1;
CREATE INDEX runs_by_script ON runs (script_hash);

CREATE TABLE blobs (
  hash TEXT NOT NULL PRIMARY KEY,
  data TEXT NOT NULL
) STRICT;

-- Which runs use a blob, so that deleting a run can tell what nobody needs any more.
CREATE TABLE blob_uses (
  run_id TEXT NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
  hash TEXT NOT NULL REFERENCES blobs (hash),
  PRIMARY KEY (run_id, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX blob_uses_by_hash ON blob_uses (hash);

CREATE TABLE events (
  run_id TEXT NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
  seq INTEGER NOT NULL CHECK (seq >= 1),
  type TEXT NOT NULL,
  data TEXT,
  data_blob TEXT,
  PRIMARY KEY (run_id, seq),
  CHECK ((data IS NULL) <> (data_blob IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX events_log ON events (run_id, seq) WHERE type = 'log';

CREATE TABLE calls (
  run_id TEXT NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
  agent INTEGER NOT NULL CHECK (agent >= 1),
  path TEXT NOT NULL,
  key TEXT NOT NULL,
  prompt TEXT,
  prompt_blob TEXT,
  options TEXT,
  options_blob TEXT,
  started_seq INTEGER NOT NULL,
  PRIMARY KEY (run_id, agent),
  CHECK ((prompt IS NULL) <> (prompt_blob IS NULL)),
  CHECK ((options IS NULL) <> (options_blob IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE journal (
  run_id TEXT NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
  agent INTEGER NOT NULL CHECK (agent >= 1),
  path TEXT NOT NULL,
  key TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('completed', 'failed', 'skipped', 'cancelled', 'replayed')),
  result TEXT,
  result_blob TEXT,
  usage TEXT,
  duration_ms REAL NOT NULL,
  started_seq INTEGER NOT NULL,
  origin TEXT NOT NULL,
  rejections INTEGER,
  branch TEXT,
  PRIMARY KEY (run_id, agent),
  CHECK ((result IS NULL) <> (result_blob IS NULL))
) STRICT, WITHOUT ROWID;

-- A run's return value, whole; apart from runs, so that lists need not step over it.
CREATE TABLE results (
  run_id TEXT NOT NULL PRIMARY KEY REFERENCES runs (run_id) ON DELETE CASCADE,
  value TEXT,
  value_blob TEXT,
  CHECK ((value IS NULL) <> (value_blob IS NULL))
) STRICT;

CREATE TABLE settings (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What the user decided about scripts that harnesses start, by the hash of what would run.
CREATE TABLE approvals (
  hash TEXT NOT NULL PRIMARY KEY,
  decision TEXT NOT NULL CHECK (decision IN ('allow', 'deny')),
  workflow TEXT NOT NULL,
  decided_at REAL NOT NULL
) STRICT, WITHOUT ROWID;
`,
}
