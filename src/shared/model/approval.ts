// A harness's wish to run a script, as the user is asked about it.

import type { RunId } from './ids.ts'
import type { JsonValue } from '../lib/json.ts'
import type { WorkflowMeta } from './meta.ts'

export interface PendingApproval {
  id: string
  /** The run that waits for it: the one that will be started, or a live one that calls a workflow nobody was asked about. */
  runId: RunId
  /** Of the script and the sources of the workflows it calls: what is remembered. */
  hash: string
  workflow: string
  meta: WorkflowMeta
  script: { text: string; fileName: string; path: string | null }
  /** What the script would be given; absent when that is nothing, and for a workflow that a live run calls. Not remembered. */
  args?: JsonValue
  /** Workflows that it calls, as they were hashed. */
  nested: { name: string; path: string | null; text: string }[]
  /** The harness, as it calls itself; null when it gave no name. */
  clientName: string | null
  workspace: string
  /** Milliseconds since the epoch. */
  askedAt: number
}

export type ApprovalAnswer = 'allow' | 'deny'
