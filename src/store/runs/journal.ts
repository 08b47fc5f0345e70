// The engine's JournalStore: calls when they are opened, their results when they end, and the run's own result.

import type { JsonValue, RunId } from '../../shared/index.ts'
import type { CallOpening, JournalRow, JournalStore } from '../../engine/index.ts'
import type { CallQueries } from '../queries/call-queries.ts'
import type { WriteOperation } from '../writer/protocol.ts'
import type { WriterClient } from '../writer/writer-client.ts'
import type { EventLog } from './event-log.ts'

export interface JournalOptions {
  writer: WriterClient
  log: EventLog
  /** Reads on the store's connection. */
  read: <Value>(reads: (calls: CallQueries) => Value) => Value
}

export class Journal implements JournalStore {
  readonly #options: JournalOptions

  constructor(options: JournalOptions) {
    this.#options = options
  }

  /** Throws StoreError when the run's writes are refused. */
  openCall(runId: RunId, call: CallOpening): void {
    this.#options.writer.assertOpen()
    const refusal = this.#options.log.refusalOf(runId)
    if (refusal !== undefined) throw refusal
    this.#options.writer.submit(toCallOperation(runId, call), (error) => {
      if (error !== undefined) this.#options.log.refuse(runId, error)
    })
  }

  async closeCall(runId: RunId, row: JournalRow): Promise<void> {
    await this.#write(runId, toCloseOperation(runId, row))
  }

  async saveResult(runId: RunId, result: JsonValue): Promise<void> {
    await this.#write(runId, toResultOperation(runId, result))
  }

  async readReplayable(runId: RunId): Promise<JournalRow[]> {
    const { read } = this.#options
    if (read((calls) => calls.isDry(runId))) return []
    const rows: JournalRow[] = []
    const pages = read((calls) => calls.journalPages(runId))
    for (let page; !(page = read(() => pages.next())).done;) {
      rows.push(...page.value.filter(({ outcome }) => outcome === 'completed' || outcome === 'replayed'))
      // A long journal is read in slices, so that the host stays responsive.
      await new Promise((resolve) => setImmediate(resolve))
    }
    return rows.sort((a, b) => a.startedSeq - b.startedSeq)
  }

  async #write(runId: RunId, operation: WriteOperation): Promise<void> {
    const { log, writer } = this.#options
    writer.assertOpen()
    const refusal = log.refusalOf(runId)
    if (refusal !== undefined) throw refusal
    await new Promise<void>((resolve, reject) => {
      writer.submit(operation, (error) => {
        if (error === undefined) return resolve()
        log.refuse(runId, error)
        reject(error)
      })
    })
  }
}

export function toCallOperation(runId: RunId, call: CallOpening): WriteOperation {
  const { agent, path, key, startedSeq } = call
  return {
    kind: 'call',
    runId,
    agent,
    path,
    key,
    prompt: toJson(call.prompt),
    options: toJson(call.options),
    startedSeq,
  }
}

export function toCloseOperation(runId: RunId, row: JournalRow): WriteOperation {
  return {
    kind: 'close',
    runId,
    agent: row.agent,
    path: row.path,
    key: row.key,
    outcome: row.outcome,
    result: toJson(row.result),
    usage: row.usage === null ? null : toJson({ ...row.usage }),
    durationMs: row.durationMs,
    startedSeq: row.startedSeq,
    origin: row.origin,
    rejections: row.rejections ?? null,
    branch: row.branch ?? null,
  }
}

export function toResultOperation(runId: RunId, result: JsonValue): WriteOperation {
  return { kind: 'result', runId, value: toJson(result) }
}

/** JSON text; what JSON can't hold at the top (undefined) is null. */
function toJson(value: JsonValue): string {
  return JSON.stringify(value) ?? 'null'
}
