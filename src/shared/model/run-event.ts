// The append-only event stream of one run: numbered from 1 without gaps, stored before it is shown.
// Everything anyone shows of a run is a fold of these events (fold-run.ts).

import type { JsonValue } from '../lib/json.ts'
import type { FailureKind, RunError } from './errors.ts'
import type { AgentNumber, CallKey, CallPath, RunId, ScriptHash } from './ids.ts'
import type { SourcePosition, WorkflowMeta } from './meta.ts'
import type { Usage } from './usage.ts'

export type AgentOutcome = 'completed' | 'failed' | 'skipped' | 'cancelled' | 'replayed'
export type RunOutcome = 'completed' | 'cancelled' | 'error' | 'interrupted'
export type ClientKind = 'cli' | 'window' | 'browser' | 'harness' | 'test'

/** Who started a run. */
export interface RunStarter {
  kind: ClientKind
  /** A harness's client name, e.g. `codex`. */
  name?: string
}

export interface RunEventPayloads {
  'run-started': {
    runId: RunId
    meta: WorkflowMeta
    scriptHash: ScriptHash
    /** The file it came from; null for a script given as text. */
    scriptPath: string | null
    /** What the file is called in errors, e.g. `review.js`. */
    fileName: string
    workspace: string
    /** Absent when the caller gave none, so that the script sees `undefined`. */
    args?: JsonValue
    backend: string
    /** The model of agents that name none, when the run was given one. */
    model?: string
    /** True when answers are simulated: every face says so. */
    simulated: boolean
    dry: boolean
    budgetTokens: number | null
    maxConcurrentAgents: number
    maxAgents: number
    startedBy: RunStarter
    /** The first run of a resume chain; this run itself when it resumes none. */
    lineage: RunId
    resumedFrom: RunId | null
    title?: string
  }
  /** A nested `workflow()` call began; `group` numbers them from 1. The root script is group 0 and has no event. */
  'workflow-started': {
    group: number
    name: string
    path: CallPath
    fileName: string
    /** The caller's phase, where its group hangs in the tree; null before the first `phase()`. */
    phase?: string | null
    site?: SourcePosition
  }
  'workflow-ended': { group: number; outcome: 'completed' | 'failed'; error?: RunError }
  /** Sent once for each title within a group. */
  'phase-started': { title: string; group: number }
  'agent-queued': {
    agent: AgentNumber
    path: CallPath
    key: CallKey
    label: string
    /** Null before the first `phase()`. */
    phase: string | null
    group: number
    backend: string
    model?: string
    promptPreview: string
    /** UTF-16 units of the whole prompt. */
    promptLength: number
    /** Where the script called it, in the file as written, when known. */
    site?: SourcePosition
  }
  /** An attempt began; attempts are numbered from 1. */
  'agent-started': { agent: AgentNumber; attempt: number }
  'agent-progress': { agent: AgentNumber; progress: AgentProgress }
  /** An attempt failed, was stalled or was sent back by the user, and another one follows. */
  'agent-attempt-failed': {
    agent: AgentNumber
    attempt: number
    failure: FailureKind | 'retried'
    error: string
    retryAt?: number
  }
  'agent-ended': {
    agent: AgentNumber
    outcome: AgentOutcome
    /** One line; the whole value is in the journal. */
    resultPreview?: string
    usage?: Usage
    /** Milliseconds from its first start (from being queued if it never started) to its end. */
    durationMs: number
    attempts: number
    /** Answers that did not match the schema before the accepted one. */
    rejections?: number
    error?: { message: string; failure: FailureKind; code?: string }
    /** The branch that keeps a worktree agent's changes. */
    branch?: string
  }
  log: {
    message: string
    level: 'log' | 'info' | 'warn' | 'error' | 'debug'
    source: 'log' | 'console'
    phase: string | null
    group: number
  }
  /** Something the user should know: a swallowed failure, an unknown keyword, a lost file. */
  warning: {
    code: string
    message: string
    agent?: AgentNumber
    path?: CallPath
    file?: string
    line?: number
    column?: number
  }
  'run-paused': { by: 'user' | 'limit'; reason: string; /** ms since the epoch */ until?: number }
  'run-continued': { by: 'user' | 'limit' }
  'permission-asked': {
    agent: AgentNumber
    request: string
    title: string
    detail?: string
    options: PermissionOption[]
  }
  'permission-answered': {
    agent: AgentNumber
    request: string
    answer: PermissionAnswer
    by: 'user' | 'policy' | 'cancelled'
  }
  'run-ended': {
    outcome: RunOutcome
    degraded: boolean
    error?: RunError
    /** First reason given wins. */
    reason?: string
    resultPreview?: string
    durationMs: number
  }
}

export type PermissionOption = 'allow-once' | 'allow-run' | 'reject'
export type PermissionAnswer = PermissionOption

export type AgentProgress =
  | { kind: 'text'; text: string }
  | {
      kind: 'tool'
      tool: string
      title?: string
      input?: JsonValue
      output?: string
      status?: 'running' | 'completed' | 'failed'
    }
  | { kind: 'usage'; usage: Usage }
  | { kind: 'rejected'; errors: string[]; answer: string }
  /** Output of the agent process that is no message of its protocol. */
  | { kind: 'raw'; text: string }

export type RunEventType = keyof RunEventPayloads

/** One event: `seq` from 1, `at` in milliseconds since the epoch (virtual in a dry run). */
export type RunEvent = {
  [Type in RunEventType]: { seq: number; at: number; type: Type } & RunEventPayloads[Type]
}[RunEventType]

export type RunEventOf<Type extends RunEventType> = Extract<RunEvent, { type: Type }>
