// Reads of settings and approvals.

import type Database from 'better-sqlite3'
import type { JsonValue } from '../../shared/index.ts'
import type { Approval } from '../store.ts'

export const SETTING_SQL = {
  setting: 'SELECT value FROM settings WHERE name = ?',
  approval: 'SELECT decision, workflow, decided_at FROM approvals WHERE hash = ?',
} as const

export class SettingQueries {
  readonly #setting: Database.Statement<[string], string>
  readonly #approval: Database.Statement<
    [string],
    { decision: Approval['decision']; workflow: string; decided_at: number }
  >

  constructor(db: Database.Database) {
    this.#setting = db.prepare<[string], string>(SETTING_SQL.setting).pluck()
    this.#approval = db.prepare(SETTING_SQL.approval)
  }

  setting(name: string): JsonValue | undefined {
    const stored = this.#setting.get(name)
    // Written by writeSetting from a JsonValue.
    return stored === undefined ? undefined : (JSON.parse(stored) as JsonValue)
  }

  approval(hash: string): Approval | undefined {
    const stored = this.#approval.get(hash)
    if (stored === undefined) return undefined
    return { hash, decision: stored.decision, workflow: stored.workflow, decidedAt: stored.decided_at }
  }
}
