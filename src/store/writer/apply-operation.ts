// Turns one operation into SQL. Runs inside the writer's transaction; an error undoes that transaction.

import { createHash } from 'node:crypto'
import type Database from 'better-sqlite3'
import type { OperationKind, RunColumns, RunTotals, WriteOperation } from './protocol.ts'
import { createRunDeleter } from './delete-runs.ts'

/** Values longer than this (in UTF-16 units) are kept once in `blobs`, by their hash. */
export const BLOB_UNITS = 64 * 1024

export type ApplyOperation = (operation: WriteOperation) => unknown

type Handlers = { [Kind in OperationKind]: (operation: Extract<WriteOperation, { kind: Kind }>) => unknown }

const TOTALS = 'degraded = ?, agents = ?, calls = ?, output_tokens = ?, cost_usd = ?'

/** Returns the function that applies operations to `db`; its statements are prepared once. */
export function createApplier(db: Database.Database): ApplyOperation {
  const place = createPlacer(db)
  const sql = {
    script: db.prepare('INSERT INTO scripts (hash, text) VALUES (?, ?) ON CONFLICT DO NOTHING'),
    run: db.prepare('INSERT INTO runs (run_id, script_hash, file_name, workflow) VALUES (?, ?, ?, ?)'),
    event: db.prepare('INSERT INTO events (run_id, seq, type, data, data_blob) VALUES (?, ?, ?, ?, ?)'),
    call: db.prepare(
      `INSERT INTO calls (run_id, agent, path, key, prompt, prompt_blob, options, options_blob, started_seq)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    close: db.prepare(
      `INSERT INTO journal (run_id, agent, path, key, outcome, result, result_blob, usage, duration_ms, started_seq,
         origin, rejections, branch)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    result: db.prepare(
      `INSERT INTO results (run_id, value, value_blob) VALUES (?, ?, ?)
       ON CONFLICT (run_id) DO UPDATE SET value = excluded.value, value_blob = excluded.value_blob`,
    ),
    row: db.prepare(
      `UPDATE runs SET ${TOTALS}, workflow = ?, title = ?, status = ?, simulated = ?, dry = ?, workspace = ?,
         script_path = ?, backend = ?, started_by = ?, resumed_from = ?, started_at = ?, ended_at = ?, error = ?
       WHERE run_id = ?`,
    ),
    totals: db.prepare(`UPDATE runs SET ${TOTALS} WHERE run_id = ?`),
    setting: db.prepare(
      'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    ),
    approval: db.prepare(
      `INSERT INTO approvals (hash, decision, workflow, decided_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (hash) DO UPDATE SET
         decision = excluded.decision, workflow = excluded.workflow, decided_at = excluded.decided_at`,
    ),
    record: db.prepare('INSERT INTO harness_records (run_id, seq, session, data) VALUES (?, ?, ?, ?)'),
    pin: db.prepare('UPDATE runs SET pinned = ? WHERE run_id = ?'),
  }
  const writeRow = (runId: string, columns: RunColumns): void => {
    sql.row.run(...totalValues(columns), ...rowValues(columns), runId)
  }
  const handlers: Handlers = {
    run: (op) => {
      sql.script.run(op.scriptHash, op.script)
      sql.run.run(op.runId, op.scriptHash, op.fileName, op.workflow)
    },
    events: ({ runId, firstSeq, types, data }) => {
      for (let i = 0; i < types.length; i++) {
        sql.event.run(runId, firstSeq + i, types[i], ...place(runId, data[i] ?? ''))
      }
    },
    call: (op) => {
      const prompt = place(op.runId, op.prompt)
      sql.call.run(op.runId, op.agent, op.path, op.key, ...prompt, ...place(op.runId, op.options), op.startedSeq)
    },
    close: (op) => {
      const [result, blob] = place(op.runId, op.result)
      const call = [op.runId, op.agent, op.path, op.key]
      const cost = [op.usage, op.durationMs]
      sql.close.run(...call, op.outcome, result, blob, ...cost, op.startedSeq, op.origin, op.rejections, op.branch)
    },
    result: (op) => {
      sql.result.run(op.runId, ...place(op.runId, op.value))
    },
    row: (op) => writeRow(op.runId, op.columns),
    totals: (op) => {
      sql.totals.run(...totalValues(op.totals), op.runId)
    },
    repair: (op) => writeRow(op.row, op.columns),
    // What is refused, and what no more, is the committer's business.
    forgive: () => undefined,
    setting: (op) => {
      sql.setting.run(op.name, op.value)
    },
    approval: (op) => {
      sql.approval.run(op.hash, op.decision, op.workflow, op.decidedAt)
    },
    record: ({ recordOf, session, firstSeq, facts }) => {
      for (const [index, fact] of facts.entries()) sql.record.run(recordOf, firstSeq + index, session, fact)
    },
    pin: (op) => {
      sql.pin.run(op.pinned ? 1 : 0, op.pin)
    },
    import: ({ operations }) => {
      for (const operation of operations) apply(operation)
    },
    delete: createRunDeleter(db),
  }
  // The handler is the one of this very kind; TypeScript can't tie the two together through the index.
  const apply: ApplyOperation = (operation) =>
    (handlers[operation.kind] as (operation: WriteOperation) => unknown)(operation)
  return apply
}

function totalValues(totals: RunTotals): (string | number | null)[] {
  return [totals.degraded, totals.agents, totals.calls, totals.outputTokens, totals.costUsd]
}

function rowValues(row: RunColumns): (string | number | null)[] {
  const how = [row.simulated, row.dry, row.workspace, row.scriptPath, row.backend, row.startedBy, row.resumedFrom]
  return [row.workflow, row.title, row.status, ...how, row.startedAt, row.endedAt, row.error]
}

type Place = (runId: string, text: string) => readonly [value: string | null, blob: string | null]

/** Decides where a value goes: beside its row, or once for all under its hash. */
function createPlacer(db: Database.Database): Place {
  const known = db.prepare('SELECT 1 FROM blobs WHERE hash = ?').pluck()
  const insert = db.prepare('INSERT INTO blobs (hash, data) VALUES (?, ?)')
  const use = db.prepare('INSERT INTO blob_uses (run_id, hash) VALUES (?, ?) ON CONFLICT DO NOTHING')
  return (runId, text) => {
    if (text.length <= BLOB_UNITS) return [text, null]
    const hash = createHash('sha256').update(text, 'utf8').digest('hex')
    if (known.get(hash) === undefined) insert.run(hash, text)
    use.run(runId, hash)
    return [null, hash]
  }
}
