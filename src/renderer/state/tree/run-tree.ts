// The run tree as data: phases and nested workflows with the agents in them, each with a status of its own.
// Drawing, folding and keys are elsewhere; this only says what hangs where.

import type { AgentState, AgentStatus, GroupState, PhaseState, RunState, RunStatus } from '../../../shared/index.ts'
import { isLiveStatus } from '../runs/run-view.ts'

export interface AgentNode {
  kind: 'agent'
  id: string
  title: string
  status: AgentStatus
  agent: AgentState
}

export interface ContainerNode {
  kind: 'phase' | 'group'
  id: string
  title: string
  detail: string | undefined
  /** The phase that has to be over first; undefined for a phase that was reached. */
  waitsFor: string | undefined
  status: AgentStatus
  children: readonly TreeNode[]
  /** Of all agents below, nested ones included. */
  agents: number
  ended: number
  running: number
  failed: number
  outputTokens: number
  startedAt: number | undefined
  /** When its last agent ended; undefined while anything is open. */
  endedAt: number | undefined
}

export type TreeNode = AgentNode | ContainerNode

export const agentNodeId = (agent: number): string => `agent:${agent}`
const groupNodeId = (group: number): string => `group:${group}`
const phaseNodeId = (group: number, title: string): string => `phase:${group}:${title}`

/** `status` is the status shown of the run (run-view.ts): in a run that is over, nothing in its tree is still open. */
export function buildRunTree(state: RunState, status: RunStatus): TreeNode[] {
  return new TreeBuilder(state, status).childrenOf(0, undefined)
}

class TreeBuilder {
  readonly #state: RunState
  readonly #live: boolean
  readonly #agents = new Map<number, Map<string | null, AgentState[]>>()

  constructor(state: RunState, status: RunStatus) {
    this.#state = state
    this.#live = isLiveStatus(status)
    for (const agent of state.agents) {
      const phases = this.#agents.get(agent.group) ?? new Map<string | null, AgentState[]>()
      this.#agents.set(agent.group, phases)
      const members = phases.get(agent.phase)
      if (members === undefined) phases.set(agent.phase, [agent])
      else members.push(agent)
    }
  }

  childrenOf(group: number, groupState: GroupState | undefined): TreeNode[] {
    const members = this.#agents.get(group)
    const phases = this.#state.phases.filter((phase) => phase.group === group)
    const announced = new Set(phases.map((phase) => phase.title))
    // An agent may name a phase that nobody started: it still has to hang somewhere.
    for (const title of members?.keys() ?? []) {
      if (title !== null && !announced.has(title)) phases.push({ title, group })
    }
    const open = this.#live && (groupState === undefined || groupState.status === 'running')
    const current = open ? lastStarted(phases) : undefined
    const nested = group === 0 ? this.#state.groups : []
    return [
      ...(members?.get(null) ?? []).map((agent) => this.#agent(agent)),
      ...this.#phases(phases, members, nested, current),
      ...nested.filter((known) => !announced.has(phaseOf(known) ?? '')).map((known) => this.#group(known)),
    ]
  }

  #phases(
    phases: readonly PhaseState[],
    members: ReadonlyMap<string | null, AgentState[]> | undefined,
    nested: readonly GroupState[],
    current: PhaseState | undefined,
  ): ContainerNode[] {
    let before: string | undefined
    return phases.map((phase) => {
      const node = this.#phase(phase, members?.get(phase.title) ?? [], nested, phase === current)
      const reached = node.startedAt !== undefined || node.agents > 0
      if (this.#live && !reached) node.waitsFor = before
      before = phase.title
      return node
    })
  }

  #agent(agent: AgentState): AgentNode {
    const over = agent.endedAt === undefined && !this.#live
    return {
      kind: 'agent',
      id: agentNodeId(agent.agent),
      title: agent.label,
      status: over ? 'cancelled' : agent.status,
      agent,
    }
  }

  #phase(phase: PhaseState, members: AgentState[], nested: readonly GroupState[], current: boolean): ContainerNode {
    const children: TreeNode[] = members.map((agent) => this.#agent(agent))
    for (const group of nested) if (phaseOf(group) === phase.title) children.push(this.#group(group))
    const totals = sumUp(children)
    return {
      kind: 'phase',
      id: phaseNodeId(phase.group, phase.title),
      title: phase.title,
      detail: phase.detail,
      ...totals,
      startedAt: phase.startedAt ?? totals.startedAt,
      waitsFor: undefined,
      status: this.#phaseStatus(phase, children, totals, current),
      children,
    }
  }

  #phaseStatus(phase: PhaseState, children: TreeNode[], totals: Totals, current: boolean): AgentStatus {
    if (this.#live && (current || totals.ended < totals.agents || children.some(isOpenContainer))) {
      const waits = totals.running === 0 && totals.ended === 0 && totals.agents > 0
      return waits && !children.some(isOpenContainer) ? 'queued' : 'running'
    }
    if (children.length > 0) return worstOf(children)
    if (phase.startedAt !== undefined) return 'completed'
    return this.#live ? 'queued' : 'skipped'
  }

  #group(group: GroupState): ContainerNode {
    const children = this.childrenOf(group.group, group)
    return {
      kind: 'group',
      id: groupNodeId(group.group),
      title: `▸ ${group.name}`,
      detail: group.error?.message,
      waitsFor: undefined,
      ...sumUp(children),
      status: group.status === 'running' && !this.#live ? 'cancelled' : group.status,
      children,
    }
  }
}

function phaseOf(group: GroupState): string | null {
  return group.phase ?? null
}

function isOpenContainer(node: TreeNode): boolean {
  return node.kind !== 'agent' && node.status === 'running'
}

function lastStarted(phases: readonly PhaseState[]): PhaseState | undefined {
  let last: PhaseState | undefined
  for (const phase of phases) {
    if (phase.startedAt !== undefined && phase.startedAt >= (last?.startedAt ?? 0)) last = phase
  }
  return last
}

// A phase has no verdict of its own: it is as good as the worst that happened in it.
const WORST_FIRST: readonly AgentStatus[] = ['failed', 'cancelled', 'completed', 'replayed', 'skipped']

function worstOf(children: readonly TreeNode[]): AgentStatus {
  return WORST_FIRST.find((status) => children.some((child) => child.status === status)) ?? 'completed'
}

type Totals = Pick<ContainerNode, 'agents' | 'ended' | 'running' | 'failed' | 'outputTokens' | 'startedAt' | 'endedAt'>

function sumUp(children: readonly TreeNode[]): Totals {
  let agents = 0
  let ended = 0
  let running = 0
  let failed = 0
  let outputTokens = 0
  let startedAt: number | undefined
  let endedAt: number | undefined
  for (const child of children) {
    const isAgent = child.kind === 'agent'
    agents += isAgent ? 1 : child.agents
    ended += isAgent ? Number(child.agent.endedAt !== undefined) : child.ended
    running += isAgent ? Number(child.status === 'running') : child.running
    failed += isAgent ? Number(child.status === 'failed') : child.failed
    outputTokens += isAgent ? (child.agent.usage?.outputTokens ?? 0) : child.outputTokens
    const start = isAgent ? child.agent.startedAt : child.startedAt
    const end = isAgent ? child.agent.endedAt : child.endedAt
    if (start !== undefined) startedAt = Math.min(startedAt ?? start, start)
    if (end !== undefined) endedAt = Math.max(endedAt ?? end, end)
  }
  return { agents, ended, running, failed, outputTokens, startedAt, endedAt: ended < agents ? undefined : endedAt }
}
