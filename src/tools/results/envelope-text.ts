// The words in which a run's end reaches a harness: exact, since models and scripts rely on them.

import { cutText, type JsonValue, type RunState } from '../../shared/index.ts'

const FAILURES_SHOWN = 5
const FAILURE_UNITS = 300

export interface CutJson {
  text: string
  /** UTF-16 units that are missing; 0 when it is whole. */
  omitted: number
}

/** Cuts `json` to `units` UTF-16 units, never inside a pair, and says on a line of its own how much is missing. */
export function cutJson(json: string, units: number): CutJson {
  if (json.length <= units) return { text: json, omitted: 0 }
  const kept = cutText(json, units)
  const omitted = json.length - kept.length
  return { text: `${kept}\n… [truncated: ${omitted} more characters]`, omitted }
}

export function completedText(state: RunState, shownJson: string): string {
  const count = state.agentsStarted
  const agents = `${count} agent${count === 1 ? '' : 's'}`
  return `workflow "${nameOf(state)}" completed (${agents}).\nReturn value:\n${shownJson}`
}

/** The text of an ended run that did not complete. */
export function failureText(state: RunState): string {
  if (state.status === 'cancelled')
    return `Error: workflow run was cancelled${state.cancelReason ? ` (${state.cancelReason})` : ''}`
  if (state.status === 'error') return `Error: workflow run failed: ${errorText(state)}`
  return `Error: workflow run ended abnormally (${state.cancelReason ?? state.error?.message ?? state.status})`
}

function errorText({ error, info }: RunState): string {
  if (error === undefined) return 'unknown error'
  if (error.line === undefined) return error.message
  return `${error.message} (${error.file ?? info?.fileName ?? 'script'}:${error.line}:${error.column ?? 1})`
}

/** `2 of 7 agents failed: a: …; b: …`; undefined when none did. */
export function degradedText({ agents, degraded }: RunState): string | undefined {
  const failed = agents.filter(({ status }) => status === 'failed')
  if (failed.length === 0)
    return degraded ? 'The run is degraded: part of its work failed, see its warnings.' : undefined
  const shown = failed
    .slice(0, FAILURES_SHOWN)
    .map(({ label, error }) => `${label}: ${cutText(error?.message ?? 'no reason given', FAILURE_UNITS)}`)
  const more = failed.length > FAILURES_SHOWN ? `; and ${failed.length - FAILURES_SHOWN} more` : ''
  return `${failed.length} of ${agents.length} agents failed: ${shown.join('; ')}${more}`
}

export function resumeHint(runId: string, toolName: string): string {
  return `Run id: ${runId}. To go on from it, call ${toolName} with resumeFromRunId "${runId}": calls that have finished are answered from it.`
}

export function waitHint(runId: string): string {
  return `Run ${runId} is still running. Call workflow_wait with runId "${runId}" to wait for its result, or workflow_status to look at it.`
}

export function nameOf(state: RunState): string {
  return state.info?.meta.name ?? 'workflow'
}

/** A result as the texts show it: JSON, two spaces. */
export function toShownJson(result: JsonValue): string {
  return JSON.stringify(result, null, 2)
}
