// The store put together: one writer thread, one reading connection in the calling thread, and what stands between them
// and the engine's ports.

import type Database from 'better-sqlite3'
import type {
  AgentCallRecord,
  AgentNumber,
  HarnessFact,
  IntegrityReport,
  JsonValue,
  RunEvent,
  RunId,
  RunRow,
  ScriptHash,
  SearchHit,
} from '../shared/index.ts'
import type { CallOpening, JournalRow } from '../engine/index.ts'
import { StoreError, toStoreError } from './errors.ts'
import { prepareQueries } from './queries/prepare-queries.ts'
import { readCallHistory } from './runs/call-history.ts'
import { EventLog, type StoredListener } from './runs/event-log.ts'
import { toImportOperation } from './runs/import-run.ts'
import { Journal } from './runs/journal.ts'
import { loadFold, loadRow } from './runs/load-run.ts'
import { recoverRuns } from './runs/recover-runs.ts'
import { refusedColumns, showRefusal } from './runs/refused-run.ts'
import { applyRetention } from './runs/retention.ts'
import { toColumns } from './runs/run-row.ts'
import type {
  Approval,
  CallHistoryQuery,
  CallSample,
  HarnessRecord,
  NewRun,
  OpenStoreOptions,
  RecoveryReport,
  RetentionPolicy,
  RunQuery,
  Store,
  StoredRunContent,
} from './store.ts'
import { Reading } from './database/reading.ts'
import { startTask } from './tasks/start-task.ts'
import type { TaskData, WriteOperation } from './writer/protocol.ts'
import type { WriterClient } from './writer/writer-client.ts'

const SEARCH_LIMIT = 50

export class SqliteStore implements Store {
  readonly events: EventLog
  readonly journal: Journal
  readonly #options: Required<OpenStoreOptions>
  readonly #writer: WriterClient
  readonly #db: Database.Database
  readonly #queries: ReturnType<typeof prepareQueries>
  readonly #reading: Reading
  /** Why writes of runs were refused whose log is getting its end. */
  readonly #ending = new Map<RunId, StoreError>()
  #closing: Promise<void> | undefined

  constructor(options: Required<OpenStoreOptions>, writer: WriterClient, db: Database.Database) {
    this.#options = options
    this.#writer = writer
    this.#db = db
    this.#reading = new Reading(db, writer, options.file)
    const queries = prepareQueries(db)
    this.#queries = queries
    this.events = new EventLog({
      writer,
      loadFold: (runId) => this.#reading.read(() => loadFold(queries.runs, queries.events, runId)),
      onRefused: (runId, error) => this.#onRefused(runId, error),
      onError: (error) => options.onError(error),
    })
    this.journal = new Journal({
      writer,
      log: this.events,
      read: (reads) => this.#reading.read(() => reads(queries.calls)),
    })
  }

  onStored(listener: StoredListener): () => void {
    return this.events.onStored(listener)
  }

  async createRun(run: NewRun): Promise<void> {
    const { runId, workflow, scriptHash, fileName } = run
    this.#assertNew(runId)
    const script = JSON.stringify(run.scriptText)
    const stored = this.#write({ kind: 'run', runId, workflow, scriptHash, script, fileName })
    this.events.begin(runId)
    try {
      await stored
    } catch (error) {
      this.events.forget(runId)
      throw error
    }
  }

  #assertNew(runId: RunId): void {
    if (this.events.isLive(runId) || this.#reading.read(() => this.#queries.runs.exists(runId)))
      throw new StoreError('CONFLICT', `There is a run ${runId} already; every run needs an id of its own.`)
  }

  readRow(runId: RunId): RunRow | undefined {
    return this.#reading.read(() => this.#withRefusal(this.#queries.runs.row(runId)))
  }

  listRuns(query: RunQuery): { runs: RunRow[]; total: number; pinned: RunId[] } {
    const { runs, ...rest } = this.#reading.read(() => this.#queries.runs.list(query))
    return { ...rest, runs: runs.flatMap((row) => this.#withRefusal(row) ?? []) }
  }

  readEvents(runId: RunId, fromSeq: number, limit: number): RunEvent[] {
    return this.#reading.read(() => this.#queries.events.read(runId, fromSeq, limit))
  }

  lastSeq(runId: RunId): number {
    return this.#reading.read(() => this.#queries.events.lastSeq(runId))
  }

  readScript(runId: RunId): { text: string; fileName: string; hash: ScriptHash } | undefined {
    return this.#reading.read(() => this.#queries.runs.script(runId))
  }

  readResultJson(runId: RunId): string | null {
    return this.#reading.read(() => this.#queries.runs.resultJson(runId))
  }

  readCall(runId: RunId, agent: AgentNumber): AgentCallRecord | undefined {
    return this.#reading.read(() => this.#queries.calls.call(runId, agent))
  }

  readOpenings(runId: RunId, after: number, limit: number): CallOpening[] {
    return this.#reading.read(() => this.#queries.calls.openings(runId, after, limit))
  }

  readJournal(runId: RunId, after: number, limit: number): JournalRow[] {
    return this.#reading.read(() => this.#queries.calls.journal(runId, after, limit))
  }

  readCallHistory(query: CallHistoryQuery): Promise<CallSample[]> {
    return this.#reading.track(this.#reading.readAsync(() => readCallHistory(this.#queries.history, query)))
  }

  readSetting(name: string): JsonValue | undefined {
    return this.#reading.read(() => this.#queries.settings.setting(name))
  }

  async writeSetting(name: string, value: JsonValue): Promise<void> {
    await this.#write({ kind: 'setting', name, value: JSON.stringify(value) })
  }

  readApproval(hash: string): Approval | undefined {
    return this.#reading.read(() => this.#queries.settings.approval(hash))
  }

  async writeApproval(approval: Approval): Promise<void> {
    await this.#write({ kind: 'approval', ...approval })
  }

  async appendHarnessFacts(
    recordOf: RunId,
    session: string,
    firstSeq: number,
    facts: readonly HarnessFact[],
  ): Promise<void> {
    await this.#write({ kind: 'record', recordOf, session, firstSeq, facts: facts.map((fact) => JSON.stringify(fact)) })
  }

  readHarnessRecord(runId: RunId): HarnessRecord | undefined {
    return this.#reading.read(() => this.#queries.records.record(runId))
  }

  search(text: string, options: { limit?: number } = {}): SearchHit[] {
    return this.#reading.read(() => this.#queries.search.search(text, options.limit ?? SEARCH_LIMIT))
  }

  recoverInterrupted(now: number): Promise<RecoveryReport> {
    return this.#recover(now)
  }

  #recover(now: number, only?: { runId: RunId; reason: string }): Promise<RecoveryReport> {
    const { runs, events, calls } = this.#queries
    const { events: log, journal } = this
    const remove = async (runIds: RunId[]): Promise<void> => void (await this.#remove(runIds))
    const repairRow = (runId: RunId): Promise<RunRow | undefined> => this.recomputeRow(runId)
    const parts = { runs, events, calls, log, journal, remove, repairRow }
    return this.#reading.track(this.#reading.readAsync(() => recoverRuns(parts, now, only)))
  }

  async endRefused(runId: RunId, now: number): Promise<void> {
    const refusal = this.events.refusalOf(runId)
    if (refusal === undefined) return
    await this.#write({ kind: 'forgive', forgiven: runId })
    // Its row tells of the refusal until it tells of the end.
    this.#ending.set(runId, refusal)
    this.events.forget(runId)
    try {
      await this.#recover(now, { runId, reason: refusal.message })
    } catch (error) {
      // As before: nothing that comes later is stored, and its row says why.
      this.events.open(runId).refuse(toStoreError(error, this.#options.file))
      throw error
    } finally {
      this.#ending.delete(runId)
    }
  }

  async recomputeRow(runId: RunId): Promise<RunRow | undefined> {
    const loaded = this.#reading.read(() => loadRow(this.#queries.runs, this.#queries.events, runId))
    if (loaded === undefined) return undefined
    await this.#write({ kind: 'repair', row: runId, columns: toColumns(loaded.row, loaded.dry) })
    return loaded.row
  }

  async importRun(content: StoredRunContent): Promise<void> {
    this.#assertNew(content.runId)
    await this.#write(toImportOperation(content))
  }

  async deleteRuns(runIds: readonly RunId[]): Promise<void> {
    const unended = new Set(this.#reading.read(() => this.#queries.runs.unended()))
    const going = runIds.filter((runId) => unended.has(runId) || this.events.isLive(runId))
    if (going.length > 0)
      throw new StoreError(
        'CONFLICT',
        `Still going, so not deleted: ${going.join(', ')}. Cancel first; nothing was deleted.`,
      )
    await this.#remove([...runIds])
  }

  async setPinned(runId: RunId, pinned: boolean): Promise<void> {
    if (!this.#reading.read(() => this.#queries.runs.exists(runId)))
      throw new StoreError('UNKNOWN_RUN', `There is no run ${runId} to pin.`)
    await this.#write({ kind: 'pin', pin: runId, pinned })
  }

  readPinned(): RunId[] {
    return this.#reading.read(() => this.#queries.runs.pinned())
  }

  applyRetention(policy: RetentionPolicy, now: number): Promise<RunId[]> {
    const parts = { runs: this.#queries.runs, remove: (runIds: RunId[]) => this.#remove(runIds) }
    return this.#reading.track(this.#reading.readAsync(() => applyRetention(parts, policy, now)))
  }

  async backup(file: string): Promise<void> {
    await this.#startTask({ kind: 'backup', target: file })
  }

  async checkIntegrity(): Promise<IntegrityReport> {
    // The thread answers a check with exactly this (tasks/run-task.ts).
    return (await this.#startTask({ kind: 'check' })) as IntegrityReport
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#writer.refuseMore()
    await this.#reading.settled()
    // The reader goes first: the last connection to close has to be the one that can put the log into the database.
    await this.#writer.close(() => this.#db.close())
  }

  async #write(operation: WriteOperation): Promise<unknown> {
    this.#writer.assertOpen()
    return this.#writer.request(operation)
  }

  async #remove(runIds: RunId[]): Promise<number> {
    return Number(await this.#write({ kind: 'delete', runs: runIds }))
  }

  async #startTask(task: TaskData['task']): Promise<unknown> {
    this.#writer.assertOpen()
    const { file, busyTimeoutMs, writerWorker } = this.#options
    return this.#reading.track(startTask(writerWorker, { role: 'task', file, busyTimeoutMs, task }))
  }

  #withRefusal(row: RunRow | undefined): RunRow | undefined {
    return row && showRefusal(row, this.#ending.get(row.runId) ?? this.events.refusalOf(row.runId))
  }

  #onRefused(runId: RunId, error: StoreError): void {
    this.#options.onError(error)
    this.events.tell(runId, [])
    const repaired = this.#repairRefused(runId, error).catch((failure: unknown) => {
      const repairError = toStoreError(failure, this.#options.file)
      if (repairError.code !== 'CLOSED') this.#options.onError(repairError)
    })
    void this.#reading.track(repaired)
  }

  async #repairRefused(runId: RunId, { message }: StoreError): Promise<void> {
    const loaded = this.#reading.read(() => loadRow(this.#queries.runs, this.#queries.events, runId))
    if (loaded !== undefined)
      await this.#write({ kind: 'repair', row: runId, columns: refusedColumns(loaded, message) })
  }
}
