// A run as plain lines, one an event worth telling: for pipes, logs and terminals without cursor control.

import {
  describeOutcome,
  plural,
  toPreview,
  type RunEvent,
  type RunEventOf,
  type RunState,
} from '../../shared/index.ts'
import { formatCount, formatDuration, formatTime } from './format.ts'
import type { Style } from './style.ts'
import { escapeControls } from './text.ts'

// An agent's whole stderr may stand in its error: `weft show --json` has all of it.
const ERROR_UNITS = 300

/** The line for an event, or undefined for one that only a tree shows. `state` is the fold with the event in it. */
export function describeEvent(event: RunEvent, state: RunState, style: Style): string | undefined {
  const line = describe(event, state, style)
  return line === undefined ? undefined : escapeControls(line)
}

function describe(event: RunEvent, state: RunState, { symbol }: Style): string | undefined {
  switch (event.type) {
    case 'run-started': {
      const how = event.dry
        ? 'dry run'
        : event.simulated
          ? `${event.runId}, simulated`
          : `${event.runId}, ${event.backend}`
      return `${event.meta.name} (${how})`
    }
    case 'workflow-started':
      return `${symbol.group} ${event.name}`
    case 'workflow-ended':
      return event.error && `${symbol.group} ${nameOfGroup(state, event.group)} failed: ${event.error.message}`
    case 'phase-started':
      return event.group === 0 ? event.title : `${symbol.group} ${nameOfGroup(state, event.group)}: ${event.title}`
    case 'agent-started':
      return `  ${symbol.bullet} ${labelOf(state, event)}${event.attempt > 1 ? `, attempt ${event.attempt}` : ''}`
    case 'agent-attempt-failed': {
      const { attempt, failure, error } = event
      return `  ! ${labelOf(state, event)}: attempt ${attempt} failed (${failure}): ${toPreview(error, ERROR_UNITS)}`
    }
    case 'agent-ended':
      return `  ${symbol[event.outcome]} ${labelOf(state, event)} ${describeEnd(event)}`
    case 'log':
      return `  ${event.source === 'console' ? `${event.level}: ` : ''}${event.message}`
    case 'warning':
      return `warning: ${placeOf(event, state)}${event.message}`
    case 'run-paused':
      return `${describeOutcome(state)}${event.until === undefined ? '' : `; until ${formatTime(event.until)}`}`
    case 'run-continued':
      return event.by === 'limit' ? 'continued: the limit is lifted' : 'continued'
    case 'permission-asked':
      return `  ? ${labelOf(state, event)} asks for permission: ${event.title}`
    case 'permission-answered':
      return `  ? ${labelOf(state, event)}: ${event.answer} (${event.by})`
    case 'agent-queued':
    case 'agent-progress':
    case 'run-ended':
      return undefined
  }
}

function describeEnd(event: RunEventOf<'agent-ended'>): string {
  const details: string[] = []
  if (event.outcome !== 'replayed') details.push(formatDuration(event.durationMs))
  if (event.usage) details.push(`${formatCount(event.usage.outputTokens)} tokens`)
  if (event.attempts > 1) details.push(plural(event.attempts, 'attempt'))
  if (event.rejections) details.push(plural(event.rejections, 'rejected answer'))
  if (event.branch !== undefined) details.push(`branch ${event.branch}`)
  const what = event.error ? `${event.outcome}: ${toPreview(event.error.message, ERROR_UNITS)}` : event.outcome
  return details.length > 0 ? `${what} (${details.join(', ')})` : what
}

function labelOf(state: RunState, { agent }: { agent: number }): string {
  return toPreview(state.agents[agent - 1]?.label ?? `agent ${agent}`, 80)
}

function nameOfGroup(state: RunState, group: number): string {
  return state.groups.find((known) => known.group === group)?.name ?? `workflow ${group}`
}

function placeOf(event: RunEventOf<'warning'>, state: RunState): string {
  if (event.line === undefined) return ''
  return `${event.file ?? state.info?.fileName ?? 'script'}:${event.line}:${event.column ?? 1}: `
}
