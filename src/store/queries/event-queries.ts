// Reads of a run's event log. A gap in it is never passed over in silence.

import type Database from 'better-sqlite3'
import type { RunEvent, RunId } from '../../shared/index.ts'
import { StoreError } from '../errors.ts'

export const EVENT_SQL = {
  from: `SELECT seq, coalesce(data, (SELECT blobs.data FROM blobs WHERE hash = data_blob)) AS data
    FROM events WHERE run_id = ? AND seq >= ? ORDER BY seq LIMIT ?`,
  last: 'SELECT max(seq) FROM events WHERE run_id = ?',
} as const

const PAGE = 1000

interface StoredEvent {
  seq: number
  /** Null when its blob is missing. */
  data: string | null
}

export class EventQueries {
  readonly #from: Database.Statement<[string, number, number], StoredEvent>
  readonly #last: Database.Statement<[string], number | null>

  constructor(db: Database.Database) {
    this.#from = db.prepare(EVENT_SQL.from)
    this.#last = db.prepare<[string], number | null>(EVENT_SQL.last).pluck()
  }

  /** Events from `fromSeq` on, at most `limit`. Throws StoreError DAMAGED when one is missing or unreadable. */
  read(runId: RunId, fromSeq: number, limit: number): RunEvent[] {
    const first = Math.max(1, fromSeq)
    return this.#from.all(runId, first, limit).map((stored, index) => parse(runId, stored, first + index))
  }

  /** All events, read in pages so that a long log need not be in memory at once. Those before any damage are given first. */
  *all(runId: RunId): Generator<RunEvent> {
    for (let next = 1; ;) {
      const page = this.#from.all(runId, next, PAGE)
      for (const stored of page) yield parse(runId, stored, next++)
      if (page.length < PAGE) return
    }
  }

  /** 0 for an unknown run. */
  lastSeq(runId: RunId): number {
    return this.#last.get(runId) ?? 0
  }
}

function parse(runId: RunId, { seq, data }: StoredEvent, expected: number): RunEvent {
  if (seq !== expected)
    throw new StoreError('DAMAGED', `Run ${runId}: event ${expected} is missing from the stored log.`)
  try {
    // Written by EventLog from a RunEvent; who folds it checks that it may stand where it stands.
    return JSON.parse(data ?? '') as RunEvent
  } catch (error) {
    throw new StoreError('DAMAGED', `Run ${runId}: event ${seq} of the stored log can't be read.`, { cause: error })
  }
}
