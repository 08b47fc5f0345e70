// What a dry run tells beyond the run itself, from its events alone: phases with their spans, how many agents at once, the
// chain of calls that decided the time, and the calls of the script that it never reached.

import {
  foldRunAll,
  EMPTY_RUN,
  type AgentState,
  type DryRunPlan,
  type RunEvent,
  type RunState,
  type SourceRange,
} from '../../shared/index.ts'
import { findLongestPath } from './longest-path.ts'

export interface PlanContext {
  /** Where the script calls `agent` and `workflow`. */
  callSites: readonly (SourceRange & { hook: 'agent' | 'workflow' })[]
  /** Where durations and tokens come from. */
  basis: DryRunPlan['estimate']['basis']
  /** Earlier runs the numbers were taken from. */
  runs: number
}

/** The plan of a finished dry run. Times are milliseconds from its start. */
export function planDryRun(events: readonly RunEvent[], context: PlanContext): DryRunPlan {
  const state = foldRunAll(EMPTY_RUN, events)
  const start = state.startedAt ?? 0
  return {
    phases: spanPhases(state, start),
    peakConcurrency: findPeak(events),
    longestPath: findLongestPath(events, state.agents).map((agent) => ({
      agent: agent.agent,
      label: agent.label,
      startMs: (agent.startedAt ?? agent.queuedAt) - start,
      endMs: (agent.endedAt ?? agent.lastActivityAt) - start,
    })),
    estimate: {
      wallClockMs: (state.endedAt ?? start) - start,
      outputTokens: state.usage.outputTokens,
      inputTokens: state.usage.inputTokens,
      costUsd: state.usage.costUsd,
      basis: context.basis,
      runs: context.runs,
    },
    unreached: findUnreached(events, context.callSites),
  }
}

function spanPhases(state: RunState, start: number): DryRunPlan['phases'] {
  const spans = new Map<string, DryRunPlan['phases'][number]>()
  const spanOf = (title: string | null, group: number, at: number): DryRunPlan['phases'][number] => {
    const key = JSON.stringify([group, title])
    const known = spans.get(key)
    if (known !== undefined) return known
    const span = { title, group, agents: 0, startMs: at - start, endMs: at - start }
    spans.set(key, span)
    return span
  }
  for (const phase of state.phases) {
    if (phase.startedAt !== undefined) spanOf(phase.title, phase.group, phase.startedAt)
  }
  for (const agent of state.agents) {
    const span = spanOf(agent.phase, agent.group, agent.queuedAt)
    span.agents++
    span.startMs = Math.min(span.startMs, agent.queuedAt - start)
    span.endMs = Math.max(span.endMs, endOf(agent) - start)
  }
  return [...spans.values()].sort((a, b) => a.startMs - b.startMs)
}

// Counted in the order of the events: at one virtual instant an end before a start is not the same as one after it.
function findPeak(events: readonly RunEvent[]): number {
  const running = new Set<number>()
  let peak = 0
  for (const event of events) {
    if (event.type === 'agent-started') running.add(event.agent)
    if (event.type === 'agent-ended') running.delete(event.agent)
    peak = Math.max(peak, running.size)
  }
  return peak
}

function findUnreached(events: readonly RunEvent[], sites: PlanContext['callSites']): DryRunPlan['unreached'] {
  const reached = new Set<string>()
  for (const event of events) {
    // Nested workflows have files of their own, whose places mean nothing here; they can't call others in turn.
    const ours = event.type === 'workflow-started' || (event.type === 'agent-queued' && event.group === 0)
    if (ours && event.site !== undefined) reached.add(`${event.site.line}:${event.site.column}`)
  }
  return sites
    .filter((site) => !reached.has(`${site.line}:${site.column}`))
    .map(({ hook, line, column, endLine, endColumn }) => ({ what: hook, line, column, endLine, endColumn }))
}

function endOf(agent: AgentState): number {
  return agent.endedAt ?? agent.lastActivityAt
}
