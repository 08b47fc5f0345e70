// The engine's public face: prepare a script, start it, steer it.

import type {
  AgentNumber,
  JsonObject,
  JsonValue,
  RunError,
  RunId,
  RunOutcome,
  RunStarter,
  SourceRange,
  WorkflowMeta,
  Diagnostic,
  ScriptHash,
} from '../shared/index.ts'
import type {
  BackendSource,
  Clock,
  EventSink,
  HostHandle,
  IdSource,
  JournalRow,
  JournalStore,
  Logger,
  PermissionGate,
  ScriptText,
  WorkflowSource,
} from './ports.ts'

/** Files that worker threads are started from: sources in unit tests, bundles elsewhere. */
export interface WorkerFiles {
  sandbox: string | URL
  checker: string | URL
}

export interface EngineOptions {
  workers: WorkerFiles
  logger: Logger
  ids: IdSource
  /** Across all runs; undefined for no cap. */
  maxConcurrentAgentsOverall?: number
  /** Heartbeat: how long a script may run without yielding. Default 5000 ms. */
  syncTimeoutMs?: number
  /** Old space of one script's worker. Default 512 MiB. */
  memoryMiB?: number
  /** Default 5000 ms. */
  cancelGraceMs?: number
  /** Parsing, checking or validating may take this long. Default 10,000 ms. */
  checkTimeoutMs?: number
}

/** A script that passed every check: its meta, and the code as the sandbox takes it. */
export interface PreparedScript {
  readonly meta: WorkflowMeta
  readonly hash: ScriptHash
  readonly source: ScriptText
  readonly diagnostics: readonly Diagnostic[]
  /** Rewritten for SES; positions are those of the source by line and by the column map. */
  readonly code: string
  /** Opaque data that maps a generated position to one of the file as written. */
  readonly positions: PositionMap
  /** Where the body calls `agent` and `workflow`: a dry run tells which of them it never reached. */
  readonly callSites: readonly (SourceRange & { hook: 'agent' | 'workflow' })[]
}

/**
 * Generated-to-written columns (from 1), for the lines that differ: pairs [generated column, written column], ascending.
 * Lines are not moved, but U+2028 ends a line for V8 and none for an editor: then `written` is the line as written.
 * Read it with `toWritten` (script/positions.ts).
 */
export type PositionMap = readonly {
  line: number
  shifts: readonly (readonly [number, number])[]
  written?: number
}[]

export interface RunPorts {
  backends: BackendSource
  events: EventSink
  journal: JournalStore
  permissions: PermissionGate
  workflows: WorkflowSource
  clock: Clock
}

export interface StartRunOptions {
  /** Made beforehand by a host whose store has to know the run before its first event; else `ids` makes it. */
  runId?: RunId
  /** What happened before the start and belongs to the run's record: warnings right after `run-started`. */
  notices?: readonly { code: string; message: string }[]
  script: PreparedScript
  ports: RunPorts
  host: HostHandle
  workspace: string
  startedBy: RunStarter
  /** Where the run's own back end is named; must be one that `backends.resolve(undefined)` answers. */
  backend: string
  simulated: boolean
  dry: boolean
  args?: JsonValue
  model?: string
  budgetTokens?: number
  maxConcurrentAgents?: number
  maxAgents?: number
  /** Wrong structured answers sent back before the call fails. Default 5. */
  structuredOutputRetries?: number
  /** Default 2. */
  agentRetries?: number
  /** Default 600. */
  stallSeconds?: number
  title?: string
  /** An earlier run's rows to answer from. */
  resumeFrom?: RunId
  /** Told of each nested workflow as it begins, with the number of its group in the run's events. */
  onNested?: (group: number, script: PreparedScript) => void
  lineage?: RunId
  /** Told of each call as it is announced: which earlier row answers it, and whether its scope had diverged before. */
  onCall?: (agent: AgentNumber, call: { row: JournalRow | undefined; diverged: boolean }) => void
}

export type AgentAction = 'skip' | 'retry' | 'stop'

export interface RunSettlement {
  outcome: Exclude<RunOutcome, 'interrupted'>
  degraded: boolean
  result: JsonValue
  error?: RunError
}

export interface RunHandle {
  readonly id: RunId
  /** Never rejects. Settles after everything the run started has ended and `run-ended` is stored. */
  readonly settled: Promise<RunSettlement>
  cancel(reason?: string): void
  pause(reason?: string): void
  continue(): void
  /** Returns false when the agent has ended or never existed. */
  act(agent: AgentNumber, action: AgentAction): boolean
}

export interface Engine {
  /** Parses, checks and rewrites, in a worker with a time limit. Rejects with ScriptRefusedError. */
  prepare(source: ScriptText): Promise<PreparedScript>
  /** Every finding, for editors: never rejects for what the script is. `known` are names that `workflow()` may call. */
  diagnose(
    source: ScriptText,
    known?: readonly string[],
  ): Promise<{ meta: WorkflowMeta | null; diagnostics: Diagnostic[] }>
  /** What a value breaks of a JSON Schema, each as `/place: what`; judged in a worker with a time limit. */
  findViolations(schema: JsonObject, value: JsonValue): Promise<string[]>
  start(options: StartRunOptions): RunHandle
  /** Cancels what runs and ends every worker. */
  dispose(): Promise<void>
}
