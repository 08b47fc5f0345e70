// What a resume would do, told before it is done: which calls are answered from the earlier run, which run, and why.

import type { AgentNumber, CallPath, RunId } from './ids.ts'
import type { AgentStatus } from './run-state.ts'

/** Where two calls differ. `before` and `after` are one line each, around the first difference; null where there is none. */
export interface FieldChange {
  /** `prompt`, or `options.<name>`. */
  field: string
  before: string | null
  after: string | null
}

/** Why a call runs although nothing has run before it in its scope. `agent` is the earlier run's. */
export type ResumeReason =
  /** The same call had no result to replay. */
  | { kind: 'unfinished'; agent: AgentNumber; status: AgentStatus; error?: string }
  /** The nearest call of the same scope is another one. */
  | { kind: 'changed'; agent: AgentNumber; changes: FieldChange[] }
  /** The scope has no further call that is like it. */
  | { kind: 'new' }

export interface PlannedCall {
  agent: AgentNumber
  path: CallPath
  label: string
  phase: string | null
  group: number
  /** `runs` for certain, or `depends` on answers that nobody knows yet: then it runs, if it is made at all. */
  fate: 'replays' | 'runs' | 'depends'
  /** With `runs`. */
  reason?: ResumeReason
  /** Its place in the earlier run, where that was another one. */
  movedFrom?: CallPath
}

export interface ResumePlan {
  resumes: RunId
  /** In the order of the calls; those that depend on unknown answers are an estimate. */
  calls: PlannedCall[]
  /** How many calls are of each fate. */
  replays: number
  runs: number
  depends: number
  /** The first call that runs; null when all are replayed. */
  firstRun: AgentNumber | null
  /** Output tokens that are not paid for again. */
  replayedOutputTokens: number
  /** Output tokens of the calls that run: a guess from earlier runs, fixtures or default figures. */
  estimatedOutputTokens: number
  /** Finished calls of the earlier run that are not used. */
  unused: number
  /** What else there is to know, in words. */
  notes: string[]
}
