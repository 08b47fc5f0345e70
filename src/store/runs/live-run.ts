// A run that is being written: the fold of its events so far, what of it is stored, and who waits for that.

import type { RunEvent, RunFold, RunId, RunRow } from '../../shared/index.ts'
import type { StoreError } from '../errors.ts'
import { refusal } from '../writer/committer.ts'
import type { WriteOperation } from '../writer/protocol.ts'
import { toColumns, toRunRow } from './run-row.ts'

type EventsOperation = Extract<WriteOperation, { kind: 'events' }>

/** Events of one tick, gathered into one operation. */
export interface EventBatch {
  operation: EventsOperation
  events: RunEvent[]
}

export class LiveRun {
  readonly runId: RunId
  readonly fold: RunFold
  batch: EventBatch | undefined
  #storedSeq: number
  #sentRow: RunRow | undefined
  #failure: StoreError | undefined
  #waiting: { seq: number; resolve: () => void; reject: (error: StoreError) => void }[] = []

  constructor(runId: RunId, fold: RunFold) {
    this.runId = runId
    this.fold = fold
    this.#storedSeq = fold.state.seq
  }

  /** What later writes are refused with, once one has failed. */
  get refusal(): StoreError | undefined {
    return this.#failure && refusal(this.#failure)
  }

  /** Returns false when the run was refused already. */
  refuse(error: StoreError): boolean {
    if (this.#failure !== undefined) return false
    this.#failure = error
    for (const { reject } of this.#waiting.splice(0)) reject(refusal(error))
    return true
  }

  /** Resolves once all events so far are stored. */
  whenStored(): Promise<void> {
    const { seq } = this.fold.state
    if (this.refusal !== undefined) return Promise.reject(this.refusal)
    if (seq <= this.#storedSeq) return Promise.resolve()
    return new Promise((resolve, reject) => this.#waiting.push({ seq, resolve, reject }))
  }

  markStored(seq: number): void {
    this.#storedSeq = seq
    const ready = this.#waiting.filter((waiter) => waiter.seq <= seq)
    this.#waiting = this.#waiting.filter((waiter) => waiter.seq > seq)
    for (const { resolve } of ready) resolve()
  }

  /** What has to be written of the row since the last time; the indexed columns change with the status alone. */
  takeRowChange(): WriteOperation | undefined {
    const row = toRunRow(this.fold.state)
    const sent = this.#sentRow
    if (row === undefined || (sent !== undefined && sameTotals(sent, row) && sent.status === row.status))
      return undefined
    this.#sentRow = row
    const columns = toColumns(row, this.fold.state.info?.dry ?? false)
    if (sent === undefined || sent.status !== row.status) return { kind: 'row', runId: this.runId, columns }
    const { degraded, agents, calls, outputTokens, costUsd } = columns
    return { kind: 'totals', runId: this.runId, totals: { degraded, agents, calls, outputTokens, costUsd } }
  }
}

function sameTotals(a: RunRow, b: RunRow): boolean {
  return (
    a.degraded === b.degraded &&
    a.agents === b.agents &&
    a.outputTokens === b.outputTokens &&
    a.costUsd === b.costUsd &&
    Object.entries(a.calls).every(([name, count]) => b.calls[name as keyof typeof b.calls] === count)
  )
}
