// What a dry run tells beyond the run itself: the plan, the longest path and the estimate.

import type { AgentNumber, RunId } from './ids.ts'
import type { SourceRange } from './meta.ts'
import type { PermissionAnswer } from './run-event.ts'

export interface DryRunPlan {
  phases: { title: string | null; group: number; agents: number; startMs: number; endMs: number }[]
  /** The most agents that ran at once. */
  peakConcurrency: number
  /** The chain of calls that decided the wall-clock time, first to last. */
  longestPath: { agent: AgentNumber; label: string; startMs: number; endMs: number }[]
  estimate: {
    wallClockMs: number
    outputTokens: number
    inputTokens: number
    /** Null when no price is known. */
    costUsd: number | null
    /** Where durations and tokens come from. */
    basis: 'history' | 'fixtures' | 'default'
    /** Earlier runs the numbers were taken from. */
    runs: number
  }
  /** `agent()` and `workflow()` calls that the dry run never reached, of nested workflows' files too where it ran them. */
  unreached: (SourceRange & {
    what: string
    /** The nested workflow's file, as an absolute path; absent for the run's own script. */
    file?: string
  })[]
  /** What agents asked leave for, in order, and how it was answered for them; absent when none asked. */
  permissions?: { agent: AgentNumber; label: string; title: string; answer: PermissionAnswer }[]
  /** The run that answers were to be taken from, and how many calls it answered; absent when none was named. */
  answers?: { fromRun: RunId; calls: number }
}
