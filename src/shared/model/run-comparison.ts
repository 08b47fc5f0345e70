// Two runs side by side: what they were given, what came of each call, what they returned and what that took.

import type { AgentNumber, CallPath, ScriptHash } from './ids.ts'
import type { FieldChange } from './resume-plan.ts'
import type { RunRow } from './run-row.ts'
import type { AgentStatus, CallCensus } from './run-state.ts'

/**
 * Two calls of the same prompt and options are one: `same` at the same place, `moved` at another. Of those left, two at the
 * same place are one that `changed`; the others are in one of the runs alone. `changed` is also what had another outcome.
 */
export type CallFate = 'same' | 'changed' | 'added' | 'removed' | 'moved'

/** Of the first and of the second run; null where there is none. */
export interface Pair<Value> {
  a: Value | null
  b: Value | null
}

export interface ComparedCall {
  /** Its place in the second run; of a removed call, in the first. */
  path: CallPath
  /** Its place in the first run, of a moved call. */
  movedFrom?: CallPath
  label: string
  phase: string | null
  /** Its number in each run. */
  a: AgentNumber | null
  b: AgentNumber | null
  fate: CallFate
  /** In `prompt`, `options.<name>`, `outcome` and `result`; a replayed call has the outcome of a completed one. */
  changes: FieldChange[]
  status: Pair<AgentStatus>
  durationMs: Pair<number>
  outputTokens: Pair<number>
}

/** One place of the result where the runs differ. */
export interface ValueChange {
  /** A JSON pointer; empty for the whole value. */
  pointer: string
  /** One line; null where there is no value. */
  before: string | null
  after: string | null
}

export interface ComparedTotals {
  /** Null while it runs. */
  durationMs: number | null
  outputTokens: number
  costUsd: number | null
  /** Agents whose cost is not in it. */
  unpricedAgents: number
  agents: number
  calls: CallCensus
}

export interface RunComparison {
  a: RunRow
  b: RunRow
  script: { same: boolean; a: ScriptHash; b: ScriptHash }
  /** Of `args`, `backend`, `model`, `budgetTokens`, `maxConcurrentAgents`, `maxAgents` and `workspace`. */
  inputs: FieldChange[]
  result: {
    same: boolean
    /** The first places that differ, in the order of the values. */
    changes: ValueChange[]
    /** How many more there are. */
    more: number
  }
  totals: { a: ComparedTotals; b: ComparedTotals }
  /** In the order of the second run's calls, removed ones behind the call that they followed. */
  calls: ComparedCall[]
  /** How many calls are of each fate. */
  fates: Record<CallFate, number>
}
