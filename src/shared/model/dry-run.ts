// What a dry run tells beyond the run itself: the plan, the longest path and the estimate.

import type { AgentNumber } from './ids.ts'
import type { SourceRange } from './meta.ts'

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
  /** `agent()`, `parallel()` and the like that the dry run never reached. */
  unreached: (SourceRange & { what: string })[]
}
