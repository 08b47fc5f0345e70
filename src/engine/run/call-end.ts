// How an agent call ends: what the journal keeps of it, what the run's events tell, and what the script gets.

import {
  toPreview,
  type AgentNumber,
  type AgentOutcome,
  type CallKey,
  type CallPath,
  type FailureKind,
  type JsonValue,
  type Usage,
} from '../../shared/index.ts'
import type { AgentRunResult } from '../ports.ts'
import type { ScriptFacingError } from '../sandbox/protocol.ts'
import { withClockHeld, type RunContext } from './context.ts'

/** What the script gets. */
export type CallAnswer = { value: JsonValue } | { error: ScriptFacingError }

export interface CallEnd {
  outcome: Exclude<AgentOutcome, 'replayed'>
  value?: JsonValue
  error?: { message: string; failure: FailureKind; code?: string }
  /** What it had written, where it did not get to a value. */
  partial?: string
  rejections?: number
  branch?: string
  /** Thrown into the script instead of a null. */
  thrown?: ScriptFacingError
}

/** What is known of the call at its end. */
export interface CallFacts {
  agent: AgentNumber
  path: CallPath
  key: CallKey
  queuedSeq: number
  attempts: number
  durationMs: number
  usage: Usage | undefined
}

/** Writes row and event, in that order; resolves once both are committed. `onWritten` is called in between. */
export async function writeCallEnd(
  context: RunContext,
  facts: CallFacts,
  end: CallEnd,
  onWritten: () => void,
): Promise<CallAnswer> {
  const { clock, log, ports, runId } = context
  const { agent, path, key, queuedSeq, attempts, durationMs, usage } = facts
  const { outcome, value = null, error, partial, rejections, branch, thrown } = end
  const result = outcome === 'completed' ? value : (partial ?? null)
  const optional = { ...(rejections !== undefined && { rejections }), ...(branch !== undefined && { branch }) }
  await withClockHeld(clock, async () => {
    const row = { agent, path, key, outcome, result, usage: usage ?? null, durationMs, startedSeq: queuedSeq }
    const stored = ports.journal.closeCall(runId, { ...row, origin: runId, ...optional })
    // Should the event be refused too, nobody waits for the row any more.
    stored.catch(() => undefined)
    log.emit('agent-ended', {
      agent,
      outcome,
      durationMs,
      attempts,
      ...(result !== null && { resultPreview: previewOf(result) }),
      ...(usage !== undefined && { usage }),
      ...(error !== undefined && { error }),
      ...optional,
    })
    onWritten()
    await stored
  })
  return thrown === undefined ? { value: outcome === 'completed' ? value : null } : { error: thrown }
}

export function completedEnd(value: JsonValue, result: Extract<AgentRunResult, { kind: 'ok' }>): CallEnd {
  const { rejections, branch } = result
  return {
    outcome: 'completed',
    value,
    ...(rejections !== undefined && { rejections }),
    ...(branch !== undefined && { branch }),
  }
}

/** `name` is the call's in messages, `backend` the id of the one that ran it. */
export function failedEnd(result: Extract<AgentRunResult, { kind: 'dead' }>, name: string, backend: string): CallEnd {
  const { error: message, failure, partial, rejections, branch } = result
  const thrown = errorFor(result, name, backend)
  return {
    outcome: 'failed',
    error: { message, failure, ...(thrown !== undefined && { code: thrown.code }) },
    ...(partial !== undefined && { partial }),
    ...(rejections !== undefined && { rejections }),
    ...(branch !== undefined && { branch }),
    ...(thrown !== undefined && { thrown }),
  }
}

/** Most failures are a null to the script; these are errors. */
function errorFor(
  { error, failure, notStarted }: Extract<AgentRunResult, { kind: 'dead' }>,
  name: string,
  backend: string,
): ScriptFacingError | undefined {
  if (notStarted === true) {
    return { code: 'AGENT_START', message: `back end ${backend} could not start an agent: ${error}`, fatal: true }
  }
  if (failure !== 'schema') return undefined
  const message = `${name} gave no answer that matches the schema: ${error}`
  return { code: 'STRUCTURED_OUTPUT', message, fatal: false }
}

/** A call that the budget does not allow any more. */
export function refusedEnd(message: string): CallEnd {
  return {
    outcome: 'failed',
    error: { message, failure: 'budget', code: 'BUDGET_EXCEEDED' },
    thrown: { code: 'BUDGET_EXCEEDED', message, fatal: false },
  }
}

/** One line for lists; the whole value is in the journal. */
export function previewOf(value: JsonValue): string {
  return toPreview(typeof value === 'string' ? value : JSON.stringify(value))
}

/** What an agent had written, and changed in its worktree, when it was stopped or died. */
export function partialOf(result: AgentRunResult): { partial?: string; branch?: string } {
  if (result.kind === 'skipped') return {}
  const { branch } = result
  const kept = branch === undefined ? {} : { branch }
  if (result.kind === 'dead') return result.partial === undefined ? kept : { ...kept, partial: result.partial }
  return { ...kept, partial: typeof result.output === 'string' ? result.output : JSON.stringify(result.output) }
}
