// Full-text search. The index keeps no text of its own (`content=''`): it is found again through `search_documents`.

import type { Migration } from './migration.ts'

export const search: Migration = {
  version: 2,
  name: '0002-search',
  sql: `
CREATE TABLE search_documents (
  id INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('prompt', 'result', 'log', 'return')),
  -- Agent number of a prompt or result, sequence number of a log line, 0 for a return value.
  ref INTEGER NOT NULL,
  UNIQUE (run_id, kind, ref)
) STRICT;

CREATE VIRTUAL TABLE search_index USING fts5 (
  body, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2"
);

-- 0 until all texts of an ended run are in the index; such runs are indexed anew when the database is opened.
ALTER TABLE runs ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX runs_unindexed ON runs (run_id) WHERE indexed = 0;
`,
}
