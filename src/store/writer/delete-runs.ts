// Deletes runs with all that is theirs alone: rows, index entries, and the blobs and scripts that no other run uses.

import type Database from 'better-sqlite3'

/** Returns the handler of the `delete` operation; it answers with the bytes that the database uses afterwards. */
export function createRunDeleter(db: Database.Database): (operation: { runs: readonly string[] }) => number {
  const sql = {
    index: db.prepare('DELETE FROM search_index WHERE rowid IN (SELECT id FROM search_documents WHERE run_id = ?)'),
    blobs: db.prepare<[string], string>('SELECT hash FROM blob_uses WHERE run_id = ?').pluck(),
    script: db.prepare<[string], string>('SELECT script_hash FROM runs WHERE run_id = ?').pluck(),
    // Everything that refers to a run goes with it (ON DELETE CASCADE).
    run: db.prepare('DELETE FROM runs WHERE run_id = ?'),
    unusedBlob: db.prepare(
      'DELETE FROM blobs WHERE hash = ? AND NOT EXISTS (SELECT 1 FROM blob_uses WHERE blob_uses.hash = blobs.hash)',
    ),
    unusedScript: db.prepare(
      'DELETE FROM scripts WHERE hash = ? AND NOT EXISTS (SELECT 1 FROM runs WHERE script_hash = scripts.hash)',
    ),
  }
  return ({ runs }) => {
    for (const runId of runs) {
      const script = sql.script.get(runId)
      if (script === undefined) continue
      const blobs = sql.blobs.all(runId)
      sql.index.run(runId)
      sql.run.run(runId)
      for (const hash of blobs) sql.unusedBlob.run(hash)
      sql.unusedScript.run(script)
    }
    return usedBytes(db)
  }
}

/** Bytes in use: the file without the pages that are free for new rows. */
export function usedBytes(db: Database.Database): number {
  const read = (pragma: string): number => Number(db.pragma(pragma, { simple: true }))
  return (read('page_count') - read('freelist_count')) * read('page_size')
}
