// Event sink and journal in memory, with the contract of the real store: events are checked as they are written, a call's
// end and a result are committed before the promise resolves, and only clean rows are answered from on resume.

import {
  EMPTY_RUN,
  foldRunAll,
  type JsonValue,
  type RunEvent,
  type RunId,
  type RunState,
} from '../../../src/shared/index.ts'
import type { CallOpening, EventSink, JournalRow, JournalStore } from '../../../src/engine/index.ts'

interface RunRecord {
  events: RunEvent[]
  state: RunState
  openings: CallOpening[]
  rows: JournalRow[]
  result: JsonValue | undefined
}

export class MemoryStore {
  readonly #runs = new Map<RunId, RunRecord>()
  /** Set to make the next writes of this kind fail. */
  failing: { closeCall?: Error; saveResult?: Error; append?: Error } = {}

  readonly events: EventSink = {
    append: (runId, event) => {
      if (this.failing.append !== undefined) throw this.failing.append
      const run = this.record(runId)
      // Throws for an event that may not follow.
      run.state = foldRunAll(run.state, [event])
      run.events.push(event)
      for (const listener of this.#listeners) listener(runId, event)
    },
    flush: () => Promise.resolve(),
  }

  readonly journal: JournalStore = {
    openCall: (runId, call) => void this.record(runId).openings.push(call),
    closeCall: (runId, row) => {
      if (this.failing.closeCall !== undefined) return Promise.reject(this.failing.closeCall)
      this.record(runId).rows.push(row)
      return Promise.resolve()
    },
    saveResult: (runId, result) => {
      if (this.failing.saveResult !== undefined) return Promise.reject(this.failing.saveResult)
      this.record(runId).result = result
      return Promise.resolve()
    },
    readReplayable: (runId) => {
      const rows = this.record(runId).rows.filter(({ outcome }) => outcome === 'completed' || outcome === 'replayed')
      return Promise.resolve(rows.sort((a, b) => a.startedSeq - b.startedSeq))
    },
  }

  readonly #listeners = new Set<(runId: RunId, event: RunEvent) => void>()

  /** Called for every event as it is written. Returns the end of it. */
  onEvent(listener: (runId: RunId, event: RunEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  record(runId: RunId): RunRecord {
    let run = this.#runs.get(runId)
    if (run === undefined) {
      run = { events: [], state: EMPTY_RUN, openings: [], rows: [], result: undefined }
      this.#runs.set(runId, run)
    }
    return run
  }
}
