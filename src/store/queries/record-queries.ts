// Reads of what is recorded of harnesses' runs.

import type Database from 'better-sqlite3'
import { HarnessRecordCheck, type HarnessFact } from '../../shared/index.ts'
import { StoreError } from '../errors.ts'
import type { HarnessRecord } from '../store.ts'

export const RECORD_SQL = 'SELECT session, data FROM harness_records WHERE run_id = ? ORDER BY seq'

export class RecordQueries {
  readonly #records: Database.Statement<[string], { session: string; data: string }>

  constructor(db: Database.Database) {
    this.#records = db.prepare(RECORD_SQL)
  }

  /** Undefined when there is none. Throws DAMAGED when its facts can't be. */
  record(runId: string): HarnessRecord | undefined {
    const rows = this.#records.all(runId)
    const session = rows[0]?.session
    if (session === undefined) return undefined
    const check = new HarnessRecordCheck()
    const facts = rows.map(({ data }, index) => {
      // Written by appendHarnessFact from a fact; the check that follows judges it again.
      const fact = JSON.parse(data) as HarnessFact
      const violation = check.push(fact)
      if (violation !== undefined)
        throw new StoreError('DAMAGED', `The record of run ${runId} is damaged: fact ${index + 1}: ${violation}`)
      return fact
    })
    return { session, facts }
  }
}
