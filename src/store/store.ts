// The store's public face: SQLite behind the engine's ports, and the queries that the host's lists and views need.

import type {
  AgentCallRecord,
  AgentNumber,
  ClientKind,
  HarnessFact,
  IntegrityReport,
  JsonValue,
  RunEvent,
  RunId,
  RunRow,
  RunStatus,
  ScriptHash,
  SearchHit,
  Usage,
} from '../shared/index.ts'
import type { CallOpening, EventSink, JournalRow, JournalStore } from '../engine/index.ts'

export interface OpenStoreOptions {
  /** The database file; its folder exists. */
  file: string
  /** The file the writer thread is started from. */
  writerWorker: string | URL
  /** Told of failures that no caller waits for, once each; a run whose write failed is refused from then on. */
  onError(error: Error): void
  /** How long a write waits for another process's lock. Default 30,000 ms; only the writer thread waits. */
  busyTimeoutMs?: number
}

export interface NewRun {
  runId: RunId
  workflow: string
  scriptHash: ScriptHash
  scriptText: string
  fileName: string
}

/** Everything that is stored of an ended run. */
export interface StoredRunContent {
  runId: RunId
  script: { text: string; fileName: string; hash: ScriptHash }
  events: readonly RunEvent[]
  calls: readonly CallOpening[]
  journal: readonly JournalRow[]
  /** Undefined when none is stored. */
  result: JsonValue | undefined
}

export interface RunQuery {
  workspace?: string
  status?: readonly RunStatus[]
  workflow?: string
  /** A part of the workflow's name, the title, the id or the error, in any case. */
  text?: string
  /** Started at that time or later; ms since the epoch. */
  since?: number
  /** Started before that time; ms since the epoch. */
  until?: number
  startedBy?: ClientKind
  /** Default 200. */
  limit?: number
  offset?: number
}

export interface Approval {
  /** Of the script and the sources it calls, as the host computes it. */
  hash: string
  decision: 'allow' | 'deny'
  workflow: string
  /** Milliseconds since the epoch. */
  decidedAt: number
}

export interface HarnessRecord {
  /** That of the harness which started the run. */
  session: string
  facts: HarnessFact[]
}

export interface CallHistoryQuery {
  workflow: string
  workspace: string
  /** At most this many runs, the latest that have a completed call. */
  runs: number
  /** At most about this many calls in all. */
  calls: number
}

/** One completed call of an earlier run. */
export interface CallSample {
  runId: RunId
  label: string
  phase: string | null
  /** The id of the back end that answered it. */
  backend: string
  /** Its retries, and what it waited for a limit or an operator, included. */
  durationMs: number
  /** Null where the back end reported none. */
  usage: Usage | null
}

export interface RecoveryReport {
  /** Runs that are `interrupted` now. */
  interrupted: RunId[]
  /** Runs of which nothing but their script was stored; they are gone. */
  removed: RunId[]
  /** Runs whose log can't be read to its end, with the reason. They are listed as interrupted, their rows are kept. */
  damaged: { runId: RunId; message: string }[]
}

export interface SalvageReport {
  /** How many are in the new database. */
  runs: number
  /** Tables that could not be read whole, and why. */
  lost: string[]
  /** Runs whose log lost its end: open in the new database, for recoverInterrupted to end them. */
  cut: string[]
}

export interface RetentionPolicy {
  /** Runs that ended longer ago are deleted. */
  maxAgeDays?: number
  /** The oldest runs are deleted until the database uses no more. */
  maxBytes?: number
}

export interface Store {
  readonly events: EventSink
  readonly journal: JournalStore
  /** Called after a commit with events in their order, one batch a run: what may now be shown; with none when a write failed. Returns its end. */
  onStored(listener: (runId: RunId, events: readonly RunEvent[]) => void): () => void
  /** Writes the run and its script (content-addressed). Committed when it resolves; events follow. */
  createRun(run: NewRun): Promise<void>
  /** A row folded from the run's events; undefined for an unknown run, and before its first event is stored. */
  readRow(runId: RunId): RunRow | undefined
  /** `pinned` are those of the runs that are. */
  listRuns(query: RunQuery): { runs: RunRow[]; total: number; pinned: RunId[] }
  /** Events from `fromSeq` on, at most `limit`. */
  readEvents(runId: RunId, fromSeq: number, limit: number): RunEvent[]
  lastSeq(runId: RunId): number
  readScript(runId: RunId): { text: string; fileName: string; hash: ScriptHash } | undefined
  /** The whole return value as JSON text; null when none is stored. */
  readResultJson(runId: RunId): string | null
  readCall(runId: RunId, agent: AgentNumber): AgentCallRecord | undefined
  /** Calls as they were opened, by their numbers; at most `limit` with a number above `after`. */
  readOpenings(runId: RunId, after: number, limit: number): CallOpening[]
  /** The journal by the numbers of its calls; at most `limit` with a number above `after`. */
  readJournal(runId: RunId, after: number, limit: number): JournalRow[]
  /**
   * Completed calls of a workflow's latest ended runs in a workspace, the newest run first; neither those of simulated and
   * dry runs nor replayed ones.
   */
  readCallHistory(query: CallHistoryQuery): Promise<CallSample[]>
  readSetting(name: string): JsonValue | undefined
  writeSetting(name: string, value: JsonValue): Promise<void>
  readApproval(hash: string): Approval | undefined
  writeApproval(approval: Approval): Promise<void>
  /** Facts about a harness's run, numbered from `firstSeq`. Their failure does not refuse the run's other writes. */
  appendHarnessFacts(runId: RunId, session: string, firstSeq: number, facts: readonly HarnessFact[]): Promise<void>
  /** Undefined when nothing is recorded of the run. Throws DAMAGED when its facts can't be. */
  readHarnessRecord(runId: RunId): HarnessRecord | undefined

  /**
   * Texts with all the words and "quoted phrases" of `text`, newest first; words of three letters and more may also begin
   * longer ones, if there are not enough hits without and the word itself is not in thousands of texts. Of a text the first 100,000 units are indexed, within half a second
   * of being stored. Default limit 50.
   */
  search(text: string, options?: { limit?: number }): SearchHit[]

  /** Ends the runs that a dead host left open, legally. To be called once, before any run is started. */
  recoverInterrupted(now: number): Promise<RecoveryReport>
  /**
   * Ends the log of a run of which a write failed, as far as it is stored; to be called once the engine has settled it.
   * Resolves at once when nothing failed; rejects while writes still fail.
   */
  endRefused(runId: RunId, now: number): Promise<void>
  /** Folds the stored events again and writes the row; undefined for a run without events. */
  recomputeRow(runId: RunId): Promise<RunRow | undefined>
  /** Writes a whole run from elsewhere in one transaction. Rejects with CONFLICT when there is one of that id. */
  importRun(content: StoredRunContent): Promise<void>
  /** Deletes ended runs with all that is only theirs. Rejects with CONFLICT when one of them is still going. */
  deleteRuns(runIds: readonly RunId[]): Promise<void>
  /** Pinned runs are not touched by retention. */
  setPinned(runId: RunId, pinned: boolean): Promise<void>
  readPinned(): RunId[]
  /** Deletes ended runs that are not pinned, oldest first. Resolves with what was deleted. */
  applyRetention(policy: RetentionPolicy, now: number): Promise<RunId[]>
  /** A complete copy, whatever is being written meanwhile. Rejects with CONFLICT when `file` exists. */
  backup(file: string): Promise<void>
  /** Reads the whole database: SQLite's own checks, references, orphans, gaps. */
  checkIntegrity(): Promise<IntegrityReport>

  /** Writes out what is queued, ends the writer thread, closes every connection. */
  close(): Promise<void>
}
