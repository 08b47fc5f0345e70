// What a dry run tells beyond the run itself, from its events alone: phases with their spans, how many agents at once, the
// chain of calls that decided the time, and the calls of the script that it never reached.

import {
  foldRunAll,
  EMPTY_RUN,
  type AgentState,
  type DryRunPlan,
  type RunEvent,
  type RunState,
  type SourcePosition,
  type SourceRange,
} from '../../shared/index.ts'
import { findLongestPath } from './longest-path.ts'

type CallSite = SourceRange & { hook: 'agent' | 'workflow' }

export interface PlanContext {
  /** Where the script calls `agent` and `workflow`. */
  callSites: readonly CallSite[]
  /** The nested workflows that ran, by their groups. */
  nested: ReadonlyMap<number, { file: string; callSites: readonly CallSite[] }>
  /** Where durations and tokens come from. */
  basis: DryRunPlan['estimate']['basis']
  /** Earlier runs the numbers were taken from. */
  runs: number
  answers?: DryRunPlan['answers']
}

/** The plan of a finished dry run. Times are milliseconds from its start. */
export function planDryRun(events: readonly RunEvent[], context: PlanContext): DryRunPlan {
  const state = foldRunAll(EMPTY_RUN, events)
  const start = state.startedAt ?? 0
  const permissions = listPermissions(events, state)
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
      // The sum of some is no estimate of all.
      costUsd: state.usage.unpricedAgents > 0 ? null : state.usage.costUsd,
      basis: context.basis,
      runs: context.runs,
    },
    unreached: findUnreached(events, context),
    ...(permissions.length > 0 && { permissions }),
    ...(context.answers !== undefined && { answers: context.answers }),
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

function findUnreached(events: readonly RunEvent[], context: PlanContext): DryRunPlan['unreached'] {
  const files = new Map<string | undefined, readonly CallSite[]>([[undefined, context.callSites]])
  for (const { file, callSites } of context.nested.values()) files.set(file, callSites)
  const reached = new Set<string>()
  for (const event of events) {
    // One level only: whoever calls a workflow is the run's own script.
    const group = event.type === 'agent-queued' ? event.group : event.type === 'workflow-started' ? 0 : undefined
    if (group === undefined || !('site' in event) || event.site === undefined) continue
    const nested = context.nested.get(group)
    if (group === 0 || nested !== undefined) reached.add(nameSite(nested?.file, event.site))
  }
  return [...files].flatMap(([file, sites]) =>
    sites
      .filter((site) => !reached.has(nameSite(file, site)))
      .map(({ hook: what, line, column, endLine, endColumn }) => {
        const site = { what, line, column, endLine, endColumn }
        return file === undefined ? site : { ...site, file }
      }),
  )
}

function nameSite(file: string | undefined, { line, column }: SourcePosition): string {
  return JSON.stringify([file, line, column])
}

function listPermissions(events: readonly RunEvent[], state: RunState): NonNullable<DryRunPlan['permissions']> {
  const titles = new Map<string, string>()
  const answered: NonNullable<DryRunPlan['permissions']> = []
  for (const event of events) {
    if (event.type === 'permission-asked') titles.set(event.request, event.title)
    if (event.type !== 'permission-answered') continue
    const { agent, request, answer } = event
    const label = state.agents[agent - 1]?.label ?? `agent ${agent}`
    answered.push({ agent, label, title: titles.get(request) ?? request, answer })
  }
  return answered
}

function endOf(agent: AgentState): number {
  return agent.endedAt ?? agent.lastActivityAt
}
