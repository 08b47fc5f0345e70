// Events, journal and result of one dry run, in memory: nothing of it outlives the answer.

import type { EventSink, JournalRow, JournalStore } from '../../engine/index.ts'
import { RunFold, type JsonValue, type RunEvent, type RunState } from '../../shared/index.ts'

export class MemoryStore implements EventSink, JournalStore {
  readonly events: RunEvent[] = []
  result: JsonValue = null
  readonly #fold = new RunFold()

  get state(): RunState {
    return this.#fold.state
  }

  append(_runId: unknown, event: RunEvent): void {
    // The same invariants as in the database: a dry run shows what a live one would.
    this.#fold.push(event)
    this.events.push(event)
  }

  async flush(): Promise<void> {}

  openCall(): void {}

  async closeCall(): Promise<void> {}

  async saveResult(_runId: unknown, result: JsonValue): Promise<void> {
    this.result = result
  }

  /** A dry run is never a source for resume. */
  async readReplayable(): Promise<JournalRow[]> {
    return []
  }
}
