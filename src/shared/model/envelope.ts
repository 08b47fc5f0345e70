// The outcome of a run as one JSON document: what `weft run --json` prints and what a tool call is answered from.

import type { JsonValue } from '../lib/json.ts'
import { plural } from '../lib/text.ts'
import type { RunError } from './errors.ts'
import type { RunId } from './ids.ts'
import type { CallCensus, RunState, RunStatus } from './run-state.ts'

export interface RunEnvelope {
  runId: RunId | null
  workflow: string | null
  outcome: RunStatus
  degraded: boolean
  result: JsonValue
  error: Pick<RunError, 'message' | 'code' | 'file' | 'line' | 'column' | 'stack'> | null
  agentsStarted: number
  calls: Omit<CallCensus, 'refused'> & { refused?: number }
  usage: {
    inputTokens: number
    outputTokens: number
    costUsd: number | null
    /** Agents whose cost is not in `costUsd`, because nobody knows it. Absent without any. */
    unpricedAgents?: number
    replayedOutputTokens: number
  }
  durationMs: number
  scriptPath: string | null
  simulated: boolean
  warnings: string[]
}

/** The envelope of a run from its fold and, once it has ended, its whole result. */
export function toRunEnvelope(state: RunState, result: JsonValue = null): RunEnvelope {
  const { refused, ...calls } = state.calls
  const { info, usage } = state
  return {
    runId: info?.runId ?? null,
    workflow: info?.meta.name ?? null,
    outcome: state.status,
    degraded: state.degraded,
    result,
    error: state.error ?? null,
    agentsStarted: state.agentsStarted,
    calls: refused > 0 ? { ...calls, refused } : calls,
    usage: {
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      costUsd: usage.costUsd,
      ...(usage.costUsd !== null && usage.unpricedAgents > 0 && { unpricedAgents: usage.unpricedAgents }),
      replayedOutputTokens: usage.replayedOutputTokens,
    },
    durationMs: Math.max(0, (state.endedAt ?? state.startedAt ?? 0) - (state.startedAt ?? 0)),
    scriptPath: info?.scriptPath ?? null,
    simulated: info?.simulated ?? false,
    warnings: [
      ...(info?.simulated && !info.dry ? [SIMULATED_WARNING] : []),
      ...state.warnings.map((warning) =>
        warning.line === undefined
          ? warning.message
          : `${warning.file ?? info?.fileName ?? 'script'}:${warning.line}:${warning.column ?? 1}: ${warning.message}`,
      ),
    ],
  }
}

/** Stands first among the warnings of a run whose answers nobody has thought of; a dry run says so by its name. */
export const SIMULATED_WARNING = 'the answers are simulated: no model was asked'

/** The verdict in words, the same in every face: a degraded run never reads as a plain success. */
export function describeOutcome(
  state: Pick<RunState, 'status' | 'degraded' | 'calls'> &
    Partial<Pick<RunState, 'cancelReason' | 'paused'>> & {
      agents: { readonly length: number }
      error: Pick<RunError, 'message'> | undefined
    },
): string {
  const { status, calls } = state
  if (status === 'completed') {
    if (!state.degraded) return `completed, ${plural(state.agents.length, 'agent')}`
    const parts: string[] = []
    const failed = calls.failed - calls.refused
    if (failed > 0) parts.push(`${failed} failed`)
    if (calls.refused > 0) parts.push(`${calls.refused} refused by the budget`)
    return `completed with failures: ${parts.join(', ') || 'degraded'} of ${plural(state.agents.length, 'agent')}`
  }
  if (status === 'error') return `failed: ${state.error?.message ?? 'unknown error'}`
  if (status === 'cancelled') return state.cancelReason ? `cancelled (${state.cancelReason})` : 'cancelled'
  if (status === 'paused') {
    const reason = state.paused?.reason ?? ''
    // The reason that is said where nobody gave one begins with the same word.
    return reason === '' || reason.startsWith('paused') ? reason || 'paused' : `paused: ${reason}`
  }
  return status
}
