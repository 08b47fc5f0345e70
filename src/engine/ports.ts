// What the engine needs from the outside and never reaches for itself: who runs agents, where events and results are kept,
// where scripts come from, what time it is. A host injects all of it; the engine imports no back end, no SQL, no Electron.

import type {
  AgentCallRecord,
  AgentNumber,
  AgentOutcome,
  AgentProgress,
  BackendCapabilities,
  CallKey,
  CallPath,
  FailureKind,
  JsonObject,
  JsonValue,
  PermissionAnswer,
  PermissionOption,
  RunEvent,
  RunId,
  Usage,
} from '../shared/index.ts'

/** Made by whoever starts the run, passed through untouched to the runner, never looked into. */
export interface HostHandle {
  readonly __workflowHost: unique symbol
}

/** One attempt of one agent call. `key` and `lineage` let an executor elsewhere be idempotent. */
export interface AgentRequest {
  runId: RunId
  /** The first run of the resume chain. */
  lineage: RunId
  agent: AgentNumber
  path: CallPath
  key: CallKey
  /** From 1. */
  attempt: number
  prompt: string
  label: string
  phase: string | null
  cwd: string
  model?: string
  effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max'
  agentType?: string
  allowedTools?: readonly string[]
  isolation?: 'worktree'
  structured?: StructuredRequest
  /**
   * Asks the run's permission gate on the agent's behalf; the run's events tell of question and answer. Answered as
   * `cancelled` when the attempt is aborted. The engine always sets it.
   */
  askPermission?(question: PermissionQuestion): Promise<PermissionReply>
  /** Tells the user what is no failure: a warning of the run that names the call. The engine always sets it. */
  warn?(code: string, message: string): void
}

/** `id` is unique within the run. */
export interface PermissionQuestion {
  id: string
  title: string
  detail?: string
  options: PermissionOption[]
}

export interface PermissionReply {
  answer: PermissionAnswer
  by: 'user' | 'policy' | 'cancelled'
  /** What people should know about an answer that none of them gave: it becomes a warning of the run. */
  reason?: string
}

/** The shape asked for, and the judge of an answer. The runner sends a refused answer back to the same agent with the errors. */
export interface StructuredRequest {
  /** The caller's schema; never changed. */
  schema: JsonObject | boolean
  /** The same with an object at its root: `{value: …}` around a root that is none. `unwrap` undoes it. */
  objectSchema: JsonObject
  wrapped: boolean
  /** Answers accepted or refused against `schema` (after unwrapping). `wrapped` says that the answer is for `objectSchema`. */
  validate(answer: JsonValue, form: 'plain' | 'wrapped'): Promise<StructuredVerdict>
  /** How many wrong answers are sent back before the call fails. */
  maxRetries: number
}

export type StructuredVerdict = { ok: true; value: JsonValue } | { ok: false; errors: string[] }

/** What becomes of a call. `output` is the final text, or the validated value when a schema was asked for. */
export type AgentRunResult =
  | { kind: 'ok'; output: JsonValue; usage: Usage; rejections?: number; branch?: string }
  | { kind: 'skipped' }
  | {
      kind: 'dead'
      error: string
      failure: FailureKind
      usage?: Usage
      /** When a limit is said to be lifted, ms since the epoch. A `transient` failure with it counts as `rateLimited`. */
      retryAt?: number
      /** Too many requests at once or in a short time: with fewer agents at work it would have gone well. */
      rateLimited?: boolean
      /** What the agent had written when it died. */
      partial?: string
      rejections?: number
      /** Keeps what it had changed in its worktree. */
      branch?: string
      /** It never came into being (missing program, bad configuration): a fatal AGENT_START instead of a null. */
      notStarted?: boolean
    }

export interface AgentRunner {
  /** Never rejects for what an agent does; a rejection is a fault of the runner and is shown as such. Settles soon after `signal` aborts, with no process left. */
  run(
    request: AgentRequest,
    host: HostHandle,
    signal: AbortSignal,
    onProgress: (progress: AgentProgress) => void,
  ): Promise<AgentRunResult>
}

export interface AgentBackend {
  id: string
  kind: string
  capabilities: BackendCapabilities
  runner: AgentRunner
  /** Undefined when calls can run; else why not, in words, asked before an agent starts. */
  unavailable?(): Promise<string | undefined>
  /** Which of these options it refuses, in words; undefined when it takes them all. Called before the agent starts. */
  refuse?(
    options: Pick<AgentRequest, 'model' | 'effort' | 'agentType' | 'allowedTools' | 'isolation'>,
  ): string | undefined
}

export interface BackendSource {
  /** The back end for `provider` (an id), or the run's own when it is undefined. Undefined for an unknown id. */
  resolve(provider: string | undefined): AgentBackend | undefined
  /** Ids, for messages. */
  ids(): string[]
}

/** The run's event log. Events are stored in the order they are appended, before anyone is shown them. */
export interface EventSink {
  append(runId: RunId, event: RunEvent): void
  /** Resolves once everything appended so far for this run is committed. */
  flush(runId: RunId): Promise<void>
}

export interface CallOpening {
  agent: AgentNumber
  path: CallPath
  key: CallKey
  prompt: string
  options: JsonObject
  /** Sequence number of its `agent-queued` event. */
  startedSeq: number
}

export interface JournalRow {
  agent: AgentNumber
  path: CallPath
  key: CallKey
  outcome: AgentOutcome
  result: JsonValue
  usage: Usage | null
  durationMs: number
  startedSeq: number
  /** Run the result was first paid for in; this one unless replayed. */
  origin: RunId
  rejections?: number
  branch?: string
}

export interface JournalStore {
  openCall(runId: RunId, call: CallOpening): void
  /** Resolves once the row is committed: only then may the script see the result. */
  closeCall(runId: RunId, row: JournalRow): Promise<void>
  /** The run's return value, whole. Resolves once committed. */
  saveResult(runId: RunId, result: JsonValue): Promise<void>
  /** Rows of an earlier run that a resume may answer from, in the order they were started. */
  readReplayable(runId: RunId): Promise<JournalRow[]>
}

/** Lifecycle, for whoever keeps lists of runs. */
export interface RunRegistry {
  onChange?(runId: RunId): void
}

export interface PermissionGate {
  /** Settles with `cancelled` when `signal` aborts. */
  ask(request: PermissionQuestion & { runId: RunId; agent: AgentNumber }, signal: AbortSignal): Promise<PermissionReply>
}

export interface ScriptText {
  text: string
  /** As shown in errors. */
  fileName: string
  path: string | null
  /** Meta given as data by a tool call, for a body without `export const meta`. */
  meta?: unknown
}

export interface WorkflowSource {
  /** Rejects with WorkflowError UNKNOWN_WORKFLOW, naming what is known and what was shadowed. `from` is the calling script's path. */
  resolve(reference: string | { scriptPath: string }, from: string | null): Promise<ScriptText>
}

export interface Logger {
  debug(message: string, fields?: object): void
  info(message: string, fields?: object): void
  warn(message: string, fields?: object): void
  error(message: string, fields?: object): void
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `ms`, or at once when the signal aborts. Any length: a delay above 2^31 - 1 ms works. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Virtual clocks don't advance while anything holds them. Returns the release; idempotent. */
  hold(): () => void
  /** True when time only passes in `sleep`. */
  readonly virtual: boolean
}

export interface IdSource {
  runId(): RunId
}

export type { AgentCallRecord }
