// Answers from an earlier run: in a scope that has not diverged a call takes the first unused row of that scope with its key.

import type { CallKey } from '../../shared/index.ts'
import type { JournalRow } from '../ports.ts'

/** `/pipeline:0/item:3` of `/pipeline:0/item:3/agent:1`. */
export function scopeOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

export class ReplayRows {
  readonly #rows = new Map<string, JournalRow[]>()

  /** Rows in the order in which their calls were started. */
  constructor(rows: readonly JournalRow[]) {
    for (const row of rows) {
      const place = `${scopeOf(row.path)} ${row.key}`
      const list = this.#rows.get(place)
      if (list === undefined) this.#rows.set(place, [row])
      else list.push(row)
    }
  }

  /** Takes the row out; undefined when the call has to run. */
  take(path: string, key: CallKey): JournalRow | undefined {
    return this.#rows.get(`${scopeOf(path)} ${key}`)?.shift()
  }
}
