// What goes between the host's thread and the writer thread. Values that may be long travel as JSON text: they are
// serialised once, and a string is the cheapest thing to hand to another thread.

import type { WireError } from '../errors.ts'
import type { PackedOperation } from './pack.ts'

/** What a writer thread, or a thread for one long task, is started with. */
export type WorkerData = WriterData | TaskData

export interface WriterData {
  role: 'writer'
  file: string
  busyTimeoutMs: number
}

export interface TaskData {
  role: 'task'
  file: string
  busyTimeoutMs: number
  task: { kind: 'backup'; target: string } | { kind: 'check' } | { kind: 'salvage'; target: string }
}

export type TaskReply = { ok: true; value: unknown } | { ok: false; error: WireError }

/** Columns of `runs` that change while a run goes on, none of them indexed. */
export interface RunTotals {
  degraded: number
  agents: number
  calls: string
  outputTokens: number
  costUsd: number | null
}

/** All columns of `runs` that come from the run's events. */
export interface RunColumns extends RunTotals {
  workflow: string
  title: string | null
  status: string
  simulated: number
  dry: number
  workspace: string
  scriptPath: string | null
  backend: string
  startedBy: string
  resumedFrom: string | null
  startedAt: number
  endedAt: number | null
  error: string | null
}

/** One change of the database. Operations of one run are applied in their order, or refused from the first that fails on. */
export type WriteOperation =
  | { kind: 'run'; runId: string; workflow: string; scriptHash: string; script: string; fileName: string }
  /** Consecutive events: `types[i]` and `data[i]` are those of `firstSeq + i`. */
  | { kind: 'events'; runId: string; firstSeq: number; types: string[]; data: string[] }
  | {
      kind: 'call'
      runId: string
      agent: number
      path: string
      key: string
      prompt: string
      options: string
      startedSeq: number
    }
  | {
      kind: 'close'
      runId: string
      agent: number
      path: string
      key: string
      outcome: string
      result: string
      usage: string | null
      durationMs: number
      startedSeq: number
      origin: string
      rejections: number | null
      branch: string | null
    }
  | { kind: 'result'; runId: string; value: string }
  | { kind: 'row'; runId: string; columns: RunColumns }
  | { kind: 'totals'; runId: string; totals: RunTotals }
  /** Writes a row anew from the stored events, even of a run whose writes are refused. */
  | { kind: 'repair'; row: string; columns: RunColumns }
  /** Takes writes of a run again that was refused. */
  | { kind: 'forgive'; forgiven: string }
  | { kind: 'setting'; name: string; value: string }
  | { kind: 'approval'; hash: string; decision: string; workflow: string; decidedAt: number }
  /** Facts that follow each other; their failure is no business of the run's other writes. */
  | { kind: 'record'; recordOf: string; session: string; firstSeq: number; facts: string[] }
  | { kind: 'pin'; pin: string; pinned: boolean }
  /** A whole run: all of its operations in one transaction, or none. */
  | { kind: 'import'; run: string; operations: WriteOperation[] }
  /** Answers with the bytes that the database uses afterwards. */
  | { kind: 'delete'; runs: string[] }

export type OperationKind = WriteOperation['kind']

export interface NumberedOperation {
  id: number
  operation: WriteOperation
}

export type ToWriter = { type: 'write'; operations: PackedOperation[] } | { type: 'close' }

export type FromWriter =
  | { type: 'ready' }
  | { type: 'not-opened'; error: WireError }
  /** All operations up to `upTo` are committed but those in `failures`. */
  | { type: 'stored'; upTo: number; failures: [id: number, error: WireError][]; values: [id: number, value: unknown][] }
  /** Something failed that nobody waits for, such as indexing. */
  | { type: 'fault'; error: WireError }
  | { type: 'closed' }
