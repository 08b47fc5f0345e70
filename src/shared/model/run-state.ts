// What the fold of a run's events looks like: the run tree, its totals and its verdict.

import type {
  AgentProgress,
  AgentOutcome,
  PermissionAnswer,
  PermissionOption,
  RunEventPayloads,
  RunOutcome,
} from './run-event.ts'
import type { FailureKind, RunError } from './errors.ts'
import type { AgentNumber, CallKey, CallPath } from './ids.ts'
import type { SourcePosition } from './meta.ts'
import type { Usage, UsageTotals } from './usage.ts'

export type RunStatus = 'queued' | 'running' | 'paused' | RunOutcome
export type AgentStatus = 'queued' | 'running' | AgentOutcome

/** How many calls ended how; `refused` (by the budget) are counted in `failed` too. */
export interface CallCensus {
  completed: number
  failed: number
  skipped: number
  cancelled: number
  replayed: number
  refused: number
}

export interface AgentState {
  agent: AgentNumber
  path: CallPath
  key: CallKey
  label: string
  phase: string | null
  group: number
  backend: string
  model?: string
  promptPreview: string
  promptLength: number
  site?: SourcePosition
  status: AgentStatus
  queuedAt: number
  startedAt?: number
  endedAt?: number
  /** When anything was last heard of it. */
  lastActivityAt: number
  attempt: number
  failedAttempts: { attempt: number; failure: FailureKind | 'retried'; error: string }[]
  /** What it is doing now, one line: the tool it uses or the tail of its text. */
  activity?: string
  usage?: Usage
  resultPreview?: string
  error?: { message: string; failure: FailureKind; code?: string }
  rejections?: number
  durationMs?: number
  branch?: string
  permission?: { request: string; title: string; detail?: string; options: PermissionOption[] }
}

export interface PhaseState {
  title: string
  detail?: string
  group: number
  /** Undefined for a phase that meta announces and no event has started yet. */
  startedAt?: number
}

export interface GroupState {
  group: number
  name: string
  path: CallPath
  fileName: string
  /** The phase of the root script that called it; absent when the event did not say. */
  phase?: string | null
  status: 'running' | 'completed' | 'failed'
  error?: RunError
}

export interface LogLine {
  seq: number
  at: number
  level: RunEventPayloads['log']['level']
  source: 'log' | 'console'
  message: string
  phase: string | null
  group: number
}

export interface RunWarning {
  seq: number
  at: number
  code: string
  message: string
  agent?: AgentNumber
  file?: string
  line?: number
  column?: number
}

export interface RunState {
  /** Sequence number of the last event folded in; 0 for none. */
  seq: number
  status: RunStatus
  degraded: boolean
  info: RunEventPayloads['run-started'] | undefined
  startedAt: number | undefined
  endedAt: number | undefined
  paused: { by: 'user' | 'limit'; reason: string; until?: number } | undefined
  phases: readonly PhaseState[]
  groups: readonly GroupState[]
  /** In the order of their numbers: agent n is at index n - 1. */
  agents: readonly AgentState[]
  log: readonly LogLine[]
  warnings: readonly RunWarning[]
  calls: CallCensus
  running: number
  queued: number
  /** Calls started live: neither replays nor further attempts. */
  agentsStarted: number
  usage: UsageTotals
  error: RunError | undefined
  cancelReason: string | undefined
  resultPreview: string | undefined
}

/** One line of a progress message, for lists. */
export function describeProgress(progress: AgentProgress): string | undefined {
  switch (progress.kind) {
    case 'text':
      return progress.text
    case 'tool':
      return progress.title ? `${progress.tool}: ${progress.title}` : progress.tool
    case 'rejected':
      return `answer rejected: ${progress.errors[0] ?? 'does not match the schema'}`
    case 'usage':
    case 'raw':
      return undefined
  }
}

export type { PermissionAnswer }
