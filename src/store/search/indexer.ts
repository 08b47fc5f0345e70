// Fills the full-text index behind the writer's back: a little later and a little at a time, so that no commit waits for it.
// What is not done when the process ends is done at the next opening: `runs.indexed` says which runs are complete.

import type Database from 'better-sqlite3'
import type { WriteOperation } from '../writer/protocol.ts'
import { createDocumentReader, type DocumentKind, type ReadDocument } from './document-text.ts'
import { jsonToWords, spaceOut } from './text.ts'

/** A text to be indexed, or (`done`) the note that a run has no more of them. */
type Task = { runId: string; kind: DocumentKind | 'done' | 'anew'; ref: number }

const SLICE_TASKS = 200
const SLICE_UNITS = 400_000

export class SearchIndexer {
  readonly #db: Database.Database
  readonly #sql: ReturnType<typeof prepare>
  readonly #read: ReadDocument
  #tasks: Task[] = []
  #next = 0
  /** Runs of earlier sessions whose texts are yet to be listed: whatever is committed by then will be found. */
  readonly #unlisted: Set<string>

  constructor(db: Database.Database) {
    this.#db = db
    this.#sql = prepare(db)
    this.#read = createDocumentReader(db)
    this.#unlisted = new Set(this.#sql.unindexed.all())
    for (const runId of this.#unlisted) this.#add(runId, 'anew', 0)
  }

  get idle(): boolean {
    return this.#next >= this.#tasks.length
  }

  /** Takes note of a committed operation. */
  note(operation: WriteOperation): void {
    if ('runId' in operation && this.#unlisted.has(operation.runId)) return
    switch (operation.kind) {
      case 'call':
        return this.#add(operation.runId, 'prompt', operation.agent)
      case 'close':
        return this.#add(operation.runId, 'result', operation.agent)
      case 'result':
        return this.#add(operation.runId, 'return', 0)
      case 'events':
        operation.types.forEach((type, index) => {
          if (type === 'log') this.#add(operation.runId, 'log', operation.firstSeq + index)
          if (type === 'run-ended') this.#add(operation.runId, 'done', 0)
        })
        return
      case 'import':
        return this.#add(operation.run, 'anew', 0)
      default:
    }
  }

  /** Indexes one slice in a transaction of its own. After an error the runs concerned stay marked as incomplete. */
  work(): void {
    this.#db
      .transaction(() => {
        let units = 0
        for (let n = 0; n < SLICE_TASKS && units < SLICE_UNITS && !this.idle; n++) {
          const task = this.#tasks[this.#next++]
          if (task !== undefined) units += this.#perform(task)
        }
      })
      .immediate()
    if (this.idle) {
      this.#tasks = []
      this.#next = 0
    }
  }

  #add(runId: string, kind: Task['kind'], ref: number): void {
    this.#tasks.push({ runId, kind, ref })
  }

  #perform({ runId, kind, ref }: Task): number {
    if (kind === 'done') {
      this.#sql.done.run(runId)
      return 0
    }
    if (kind === 'anew') {
      this.#beginAnew(runId)
      return 0
    }
    const json = this.#read(kind, runId, ref)
    if (json === undefined || json === 'null') return 0
    const text = spaceOut(jsonToWords(json))
    const { changes, lastInsertRowid } = this.#sql.document.run(runId, kind, ref)
    if (changes > 0) this.#sql.index.run(lastInsertRowid, text)
    return text.length
  }

  #beginAnew(runId: string): void {
    this.#unlisted.delete(runId)
    this.#sql.forgetIndex.run(runId)
    this.#sql.forgetDocuments.run(runId)
    for (const agent of this.#sql.prompts.all(runId)) this.#add(runId, 'prompt', agent)
    for (const agent of this.#sql.results.all(runId)) this.#add(runId, 'result', agent)
    for (const seq of this.#sql.logs.all(runId)) this.#add(runId, 'log', seq)
    this.#add(runId, 'return', 0)
    if (this.#sql.ended.get(runId) !== undefined) this.#add(runId, 'done', 0)
  }
}

function prepare(db: Database.Database) {
  const list = <Value>(sql: string) => db.prepare<[string], Value>(sql).pluck()
  return {
    unindexed: db.prepare<[], string>('SELECT run_id FROM runs WHERE indexed = 0 ORDER BY run_id').pluck(),
    ended: list<number>('SELECT 1 FROM runs WHERE run_id = ? AND ended_at IS NOT NULL'),
    done: db.prepare('UPDATE runs SET indexed = 1 WHERE run_id = ?'),
    document: db.prepare('INSERT INTO search_documents (run_id, kind, ref) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'),
    index: db.prepare('INSERT INTO search_index (rowid, body) VALUES (?, ?)'),
    forgetIndex: db.prepare(
      'DELETE FROM search_index WHERE rowid IN (SELECT id FROM search_documents WHERE run_id = ?)',
    ),
    forgetDocuments: db.prepare('DELETE FROM search_documents WHERE run_id = ?'),
    prompts: list<number>('SELECT agent FROM calls WHERE run_id = ?'),
    results: list<number>('SELECT agent FROM journal WHERE run_id = ?'),
    logs: list<number>("SELECT seq FROM events WHERE run_id = ? AND type = 'log'"),
  }
}
