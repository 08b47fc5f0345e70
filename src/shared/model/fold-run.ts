// The one interpretation of a run's events. The window, the command line, the tool server and the tests all use it.

import { tailText, toPreview } from '../lib/text.ts'
import type { AgentNumber } from './ids.ts'
import type { RunEvent, RunEventOf } from './run-event.ts'
import { checkEvent, RunLogError } from './run-invariants.ts'
import { describeProgress, type AgentState, type RunState } from './run-state.ts'
import { addUsage, NO_USAGE } from './usage.ts'

const ACTIVITY_UNITS = 200

export const EMPTY_RUN: RunState = {
  seq: 0,
  status: 'queued',
  degraded: false,
  info: undefined,
  startedAt: undefined,
  endedAt: undefined,
  paused: undefined,
  phases: [],
  groups: [],
  agents: [],
  log: [],
  warnings: [],
  calls: { completed: 0, failed: 0, skipped: 0, cancelled: 0, replayed: 0, refused: 0 },
  running: 0,
  queued: 0,
  agentsStarted: 0,
  usage: NO_USAGE,
  error: undefined,
  cancelReason: undefined,
  resultPreview: undefined,
}

/** The state after one more event. Throws RunLogError when the event may not follow (see run-invariants.ts). */
export function foldRun(state: RunState, event: RunEvent): RunState {
  return foldRunAll(state, [event])
}

/** The state after several more events, at the cost of one copy instead of one for each. */
export function foldRunAll(state: RunState, events: readonly RunEvent[]): RunState {
  if (events.length === 0) return state
  const fold = new RunFold(state)
  for (const event of events) fold.push(event)
  return fold.state
}

/** A fold that is fed event by event and copies nothing for it: for a writer that checks each event as it comes. */
export class RunFold {
  readonly #draft: Draft

  constructor(state: RunState = EMPTY_RUN) {
    this.#draft = new Draft(state)
  }

  /** What the events so far make. A live view: the next `push` changes it. */
  get state(): RunState {
    return this.#draft.state
  }

  /** Throws RunLogError, and changes nothing, when the event may not follow. */
  push(event: RunEvent): void {
    const violation = checkEvent(this.#draft.state, event)
    if (violation !== undefined) throw new RunLogError(violation, event)
    applyEvent(this.#draft, event)
    this.#draft.state.seq = event.seq
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] }

// A copy that may be changed until it is handed out; lists and agents are copied on their first change.
class Draft {
  readonly state: Mutable<RunState>
  readonly #copied = new Set<string>()
  readonly #fresh = new Set<AgentNumber>()

  constructor(state: RunState) {
    // The lists are still the original ones: `list()` copies before anything is written to them.
    this.state = { ...state } as Mutable<RunState>
  }

  list<Name extends 'phases' | 'groups' | 'agents' | 'log' | 'warnings'>(name: Name): Mutable<RunState>[Name] {
    if (!this.#copied.has(name)) {
      this.#copied.add(name)
      // Each list is copied with its own element type; TypeScript can't tell that from the union of names.
      Object.assign(this.state, { [name]: [...this.state[name]] })
    }
    return this.state[name]
  }

  addAgent(agent: AgentState): void {
    this.#fresh.add(agent.agent)
    this.list('agents')[agent.agent - 1] = agent
  }

  /** The agent, safe to change. The invariants have made sure that it exists. */
  agent(number: AgentNumber): AgentState {
    const agents = this.list('agents')
    const index = number - 1
    const known = agents[index]
    if (known === undefined) throw new RangeError(`agent ${number} is not in this run`)
    if (this.#fresh.has(number)) return known
    const copy = { ...known }
    agents[index] = copy
    this.#fresh.add(number)
    return copy
  }
}

function applyEvent(draft: Draft, event: RunEvent): void {
  const state = draft.state
  switch (event.type) {
    case 'run-started': {
      const { seq: _seq, at: _at, type: _type, ...info } = event
      state.info = info
      state.status = 'running'
      state.startedAt = event.at
      const announced = info.meta.phases ?? []
      draft.list('phases').push(
        ...announced.map((phase) => ({
          title: phase.title,
          ...(phase.detail !== undefined && { detail: phase.detail }),
          group: 0,
        })),
      )
      return
    }
    case 'workflow-started':
      draft.list('groups').push({
        group: event.group,
        name: event.name,
        path: event.path,
        fileName: event.fileName,
        ...(event.phase !== undefined && { phase: event.phase }),
        status: 'running',
      })
      return
    case 'workflow-ended':
      state.groups = state.groups.map((group) =>
        group.group === event.group
          ? { ...group, status: event.outcome, ...(event.error && { error: event.error }) }
          : group,
      )
      return
    case 'phase-started': {
      const phases = draft.list('phases')
      const index = phases.findIndex((phase) => phase.title === event.title && phase.group === event.group)
      const known = phases[index]
      if (known === undefined) phases.push({ title: event.title, group: event.group, startedAt: event.at })
      else phases[index] = { ...known, startedAt: known.startedAt ?? event.at }
      return
    }
    case 'agent-queued': {
      const { seq: _seq, at, type: _type, ...call } = event
      draft.addAgent({ ...call, status: 'queued', queuedAt: at, lastActivityAt: at, attempt: 0, failedAttempts: [] })
      state.queued++
      return
    }
    case 'agent-started': {
      const agent = draft.agent(event.agent)
      if (agent.status === 'queued') {
        state.queued--
        state.running++
        state.agentsStarted++
        agent.startedAt = event.at
      }
      agent.status = 'running'
      agent.attempt = event.attempt
      agent.lastActivityAt = event.at
      return
    }
    case 'agent-progress':
      applyProgress(draft.agent(event.agent), event)
      return
    case 'agent-attempt-failed': {
      const agent = draft.agent(event.agent)
      const { attempt, failure, error } = event
      agent.failedAttempts = [...agent.failedAttempts, { attempt, failure, error }]
      agent.activity = toPreview(error, ACTIVITY_UNITS)
      agent.lastActivityAt = event.at
      return
    }
    case 'agent-ended':
      applyAgentEnd(draft, event)
      return
    case 'log':
      draft.list('log').push({
        seq: event.seq,
        at: event.at,
        level: event.level,
        source: event.source,
        message: event.message,
        phase: event.phase,
        group: event.group,
      })
      return
    case 'warning': {
      const { type: _type, path: _path, ...warning } = event
      draft.list('warnings').push(warning)
      return
    }
    case 'run-paused':
      state.status = 'paused'
      state.paused = {
        by: event.by,
        reason: event.reason,
        ...(event.until !== undefined && { until: event.until }),
      }
      return
    case 'run-continued':
      state.status = 'running'
      state.paused = undefined
      return
    case 'permission-asked': {
      const { agent: number, request, title, detail, options } = event
      const agent = draft.agent(number)
      agent.permission = { request, title, options, ...(detail !== undefined && { detail }) }
      agent.lastActivityAt = event.at
      return
    }
    case 'permission-answered': {
      const agent = draft.agent(event.agent)
      if (agent.permission?.request === event.request) delete agent.permission
      agent.lastActivityAt = event.at
      return
    }
    case 'run-ended':
      state.status = event.outcome
      state.degraded = event.degraded
      state.endedAt = event.at
      state.paused = undefined
      state.error = event.error
      state.cancelReason = event.reason
      state.resultPreview = event.resultPreview
      return
  }
}

function applyProgress(agent: AgentState, event: RunEventOf<'agent-progress'>): void {
  agent.lastActivityAt = event.at
  if (event.progress.kind === 'usage') agent.usage = event.progress.usage
  const line = describeProgress(event.progress)
  if (line !== undefined) agent.activity = toPreview(tailText(line, ACTIVITY_UNITS), ACTIVITY_UNITS)
}

function applyAgentEnd(draft: Draft, event: RunEventOf<'agent-ended'>): void {
  const state = draft.state
  const agent = draft.agent(event.agent)
  if (agent.status === 'queued') state.queued--
  else state.running--
  agent.status = event.outcome
  agent.endedAt = event.at
  agent.lastActivityAt = event.at
  agent.durationMs = event.durationMs
  delete agent.activity
  delete agent.permission
  if (event.resultPreview !== undefined) agent.resultPreview = event.resultPreview
  if (event.error !== undefined) agent.error = event.error
  if (event.rejections !== undefined) agent.rejections = event.rejections
  if (event.branch !== undefined) agent.branch = event.branch
  if (event.usage !== undefined) {
    agent.usage = event.usage
    state.usage = addUsage(state.usage, event.usage, event.outcome === 'replayed')
  } else if (event.outcome === 'completed') {
    // It told nothing of what it used, which is not nothing.
    state.usage = { ...state.usage, unpricedAgents: state.usage.unpricedAgents + 1 }
  }
  const refused = event.error?.failure === 'budget' ? 1 : 0
  state.calls = {
    ...state.calls,
    [event.outcome]: state.calls[event.outcome] + 1,
    refused: state.calls.refused + refused,
  }
}
