// What may follow what in a run's event stream. Checked when an event is written and when a run is loaded.
// A stream that stops early is legal: it is the evidence of an interruption.

import type { RunEvent } from './run-event.ts'
import type { RunState } from './run-state.ts'

/** An event that may not stand where it stands. */
export class RunLogError extends Error {
  override readonly name = 'RunLogError'
  readonly event: RunEvent
  constructor(message: string, event: RunEvent) {
    super(`event ${event.seq} (${event.type}): ${message}`)
    this.event = event
  }
}

type StateView = Pick<RunState, 'seq' | 'info' | 'endedAt' | 'running' | 'queued' | 'groups'> & {
  readonly agents: RunState['agents']
}

/** The violated rule in words, or undefined when the event may follow. */
export function checkEvent(state: StateView, event: RunEvent): string | undefined {
  if (event.seq !== state.seq + 1) return `expected sequence number ${state.seq + 1}`
  if (state.endedAt !== undefined) return 'nothing may follow run-ended'
  if (event.type === 'run-started') return state.info === undefined ? undefined : 'the run has started already'
  if (state.info === undefined) return 'the first event has to be run-started'
  switch (event.type) {
    case 'agent-queued':
      if (!Number.isInteger(event.agent) || event.agent < 1)
        return `agent number ${event.agent} is not a positive integer`
      if (state.agents[event.agent - 1] !== undefined) return `agent ${event.agent} was queued already`
      if (event.agent !== state.agents.length + 1)
        return `agent ${state.agents.length + 1} has to come before agent ${event.agent}`
      return undefined
    case 'agent-started':
    case 'agent-progress':
    case 'agent-attempt-failed':
    case 'agent-ended':
    case 'permission-asked':
    case 'permission-answered':
      return checkAgentEvent(state, event)
    case 'workflow-started':
      return state.groups.some((group) => group.group === event.group)
        ? `group ${event.group} has started already`
        : undefined
    case 'workflow-ended': {
      const group = state.groups.find((known) => known.group === event.group)
      if (group === undefined) return `group ${event.group} never started`
      return group.status === 'running' ? undefined : `group ${event.group} has ended already`
    }
    case 'run-ended': {
      const open = state.running + state.queued
      return open > 0 ? `${open} agents are still open` : undefined
    }
    default:
      return undefined
  }
}

type AgentEvent = Extract<RunEvent, { agent: unknown }> & {
  type: Exclude<RunEvent['type'], 'warning' | 'agent-queued'>
}

function checkAgentEvent(state: StateView, event: AgentEvent): string | undefined {
  const agent = state.agents[event.agent - 1]
  if (agent === undefined) return `agent ${event.agent} was never queued`
  if (agent.endedAt !== undefined) return `agent ${event.agent} has ended already`
  if (event.type === 'agent-started') {
    return event.attempt === agent.attempt + 1
      ? undefined
      : `attempt ${agent.attempt + 1} of agent ${event.agent} has to come first`
  }
  if (event.type === 'agent-ended') {
    if (event.outcome === 'completed' && agent.startedAt === undefined)
      return `agent ${event.agent} completed without having started`
    if (event.outcome === 'replayed' && agent.startedAt !== undefined)
      return `agent ${event.agent} was started, so it can't be a replay`
    return undefined
  }
  return agent.startedAt === undefined ? `agent ${event.agent} has not started` : undefined
}
