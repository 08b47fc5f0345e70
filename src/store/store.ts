// The store's public face: SQLite behind the engine's ports, and the queries that the host's lists and views need.

import type {
  AgentCallRecord,
  AgentNumber,
  JsonValue,
  RunEvent,
  RunId,
  RunRow,
  RunStatus,
  ScriptHash,
} from '../shared/index.ts'
import type { EventSink, JournalStore } from '../engine/index.ts'

export interface OpenStoreOptions {
  /** The database file; its folder exists. */
  file: string
  /** The file the writer thread is started from. */
  writerWorker: string | URL
  onError(error: Error): void
}

export interface NewRun {
  runId: RunId
  workflow: string
  scriptHash: ScriptHash
  scriptText: string
  fileName: string
}

export interface RunQuery {
  workspace?: string
  status?: readonly RunStatus[]
  workflow?: string
  /** Default 200. */
  limit?: number
  offset?: number
}

export interface Store {
  readonly events: EventSink
  readonly journal: JournalStore
  /** Called after a commit with events in their order, one batch a run: what may now be shown. Returns its end. */
  onStored(listener: (runId: RunId, events: readonly RunEvent[]) => void): () => void
  /** Writes the run and its script (content-addressed). Committed when it resolves; events follow. */
  createRun(run: NewRun): Promise<void>
  /** A row folded from the run's events; undefined for an unknown run. */
  readRow(runId: RunId): RunRow | undefined
  listRuns(query: RunQuery): { runs: RunRow[]; total: number }
  /** Events from `fromSeq` on, at most `limit`. */
  readEvents(runId: RunId, fromSeq: number, limit: number): RunEvent[]
  lastSeq(runId: RunId): number
  readScript(runId: RunId): { text: string; fileName: string; hash: ScriptHash } | undefined
  /** The whole return value as JSON text; null when none is stored. */
  readResultJson(runId: RunId): string | null
  readCall(runId: RunId, agent: AgentNumber): AgentCallRecord | undefined
  readSetting(name: string): JsonValue | undefined
  writeSetting(name: string, value: JsonValue): Promise<void>
  /** Writes out what is queued, ends the writer thread, closes every connection. */
  close(): Promise<void>
}
