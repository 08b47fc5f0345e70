// The run tree as data: which agents stand under which phase of which workflow, in the order in which they are shown.

import type { AgentState, GroupState, PhaseState, RunState } from '../../shared/index.ts'

export interface PhaseSection {
  kind: 'phase'
  /** How deep it stands: 0 for the script's own phases. */
  depth: number
  /** Null for agents called before the first phase. */
  title: string | null
  detail: string | undefined
  /** Undefined while no event has started it. */
  startedAt: number | undefined
  agents: AgentState[]
}

export interface WorkflowSection {
  kind: 'workflow'
  depth: number
  workflow: GroupState
}

export type RunSection = PhaseSection | WorkflowSection

/** Each phase, then the nested workflows it called with their phases; those whose phase is not known come last. */
export function sectionRun(state: RunState): RunSection[] {
  const agentsOf = groupAgents(state)
  const own = sectionPhases(state, 0, 0, agentsOf.get(0) ?? [])
  const placed = new Set<GroupState>()
  const nest = (workflow: GroupState, depth: number): RunSection[] => {
    placed.add(workflow)
    const phases = sectionPhases(state, workflow.group, depth + 1, agentsOf.get(workflow.group) ?? [])
    return [{ kind: 'workflow', depth, workflow }, ...phases]
  }
  const called = (phase: string | null): RunSection[] =>
    state.groups.filter((group) => group.phase === phase).flatMap((group) => nest(group, phase === null ? 0 : 1))
  const sections = own.flatMap((section) => [section, ...(section.title === null ? [] : called(section.title))])
  const before = own[0]?.title === null ? 1 : 0
  sections.splice(before, 0, ...called(null))
  const rest = state.groups.filter((group) => !placed.has(group)).flatMap((group) => nest(group, 0))
  return [...sections, ...rest]
}

function groupAgents(state: RunState): Map<number, AgentState[]> {
  const agentsOf = new Map<number, AgentState[]>()
  for (const agent of state.agents) {
    const list = agentsOf.get(agent.group)
    if (list) list.push(agent)
    else agentsOf.set(agent.group, [agent])
  }
  return agentsOf
}

function sectionPhases(state: RunState, group: number, depth: number, agents: readonly AgentState[]): PhaseSection[] {
  const sections = new Map<string | null, PhaseSection>()
  const add = (phase: Pick<PhaseSection, 'title'> & Partial<PhaseState | PhaseSection>): PhaseSection => {
    const { title, detail, startedAt } = phase
    const section: PhaseSection = { kind: 'phase', depth, title, detail, startedAt, agents: [] }
    sections.set(title, section)
    return section
  }
  add({ title: null })
  for (const phase of state.phases) if (phase.group === group) add(phase)
  for (const agent of agents) {
    // A phase given as an agent's option may have no event of its own.
    const section = sections.get(agent.phase) ?? add({ title: agent.phase, startedAt: agent.queuedAt })
    section.agents.push(agent)
  }
  return [...sections.values()].filter((section) => section.title !== null || section.agents.length > 0)
}
