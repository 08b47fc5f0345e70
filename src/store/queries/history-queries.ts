// What calls of a workflow took in earlier runs: the samples that a dry run's estimate is drawn from.

import type Database from 'better-sqlite3'
import { asRunId, type RunEventOf, type RunId, type Usage } from '../../shared/index.ts'
import type { CallSample } from '../store.ts'

export const HISTORY_SQL = {
  // By the index of workflows: the plus keeps SQLite from the one of workspaces, which has far more runs under one value.
  realRuns: `SELECT run_id FROM runs
    WHERE workflow = ? AND +workspace = ? AND simulated = 0 AND dry = 0 AND ended_at IS NOT NULL AND started_at IS NOT NULL
    ORDER BY started_at DESC, run_id DESC LIMIT ?`,
  samples: `SELECT journal.duration_ms, journal.usage,
      coalesce(events.data, (SELECT blobs.data FROM blobs WHERE hash = events.data_blob)) AS queued
    FROM journal JOIN events ON events.run_id = journal.run_id AND events.seq = journal.started_seq
    WHERE journal.run_id = ? AND journal.outcome = 'completed' AND events.type = 'agent-queued'
    ORDER BY journal.agent LIMIT ?`,
} as const

interface StoredSample {
  duration_ms: number
  usage: string | null
  /** Null when its blob is missing. */
  queued: string | null
}

export class HistoryQueries {
  readonly #realRuns: Database.Statement<[string, string, number], string>
  readonly #samples: Database.Statement<[string, number], StoredSample>

  constructor(db: Database.Database) {
    this.#realRuns = db.prepare<[string, string, number], string>(HISTORY_SQL.realRuns).pluck()
    this.#samples = db.prepare(HISTORY_SQL.samples)
  }

  /** Ended runs that were neither simulated nor dry, newest first. */
  realRuns(workflow: string, workspace: string, limit: number): RunId[] {
    return this.#realRuns.all(workflow, workspace, limit).map(asRunId)
  }

  /** The calls of one run that completed, in the order of their agents. Replayed ones took no time and are not among them. */
  samples(runId: RunId, limit: number): CallSample[] {
    return this.#samples.all(runId, limit).flatMap(({ duration_ms: durationMs, usage, queued }) => {
      if (queued === null) return []
      // Both were written from values of these types, by EventLog and by Journal.closeCall.
      const { label, phase, backend } = JSON.parse(queued) as RunEventOf<'agent-queued'>
      const used = usage === null ? null : (JSON.parse(usage) as Usage)
      return { runId, label, phase, backend, durationMs, usage: used }
    })
  }
}
