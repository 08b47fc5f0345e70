// A run as a line in a list: what the store keeps beside the events, always recomputable from them.

import type { RunId } from './ids.ts'
import type { RunStarter } from './run-event.ts'
import type { CallCensus, RunStatus } from './run-state.ts'

export interface RunRow {
  runId: RunId
  workflow: string
  title: string | null
  status: RunStatus
  degraded: boolean
  simulated: boolean
  workspace: string
  scriptPath: string | null
  backend: string
  startedBy: RunStarter
  resumedFrom: RunId | null
  /** Milliseconds since the epoch. */
  startedAt: number
  endedAt: number | null
  agents: number
  calls: CallCensus
  outputTokens: number
  costUsd: number | null
  error: string | null
}
