// The chain of calls that decided how long a run took. The events don't say what waited for what, but time does: on
// virtual time a call is made, or gets its permit, in the very moment in which the call ends that it waited for.

import type { AgentNumber, AgentState, RunEvent } from '../../shared/index.ts'

interface Moment {
  agent: AgentState
  queued: number
  started: number
  ended: number
}

/** First to last; empty for a run without agents. */
export function findLongestPath(events: readonly RunEvent[], agents: readonly AgentState[]): AgentState[] {
  const moments = readMoments(events, agents)
  const byEnd = [...moments.values()].sort((a, b) => a.ended - b.ended)
  const path: AgentState[] = []
  let current = byEnd.at(-1)
  while (current !== undefined) {
    path.unshift(current.agent)
    current = findPredecessor(current, byEnd)
  }
  return path
}

/** When each ended call was queued, started and ended, as places in the event stream. */
function readMoments(events: readonly RunEvent[], agents: readonly AgentState[]): Map<AgentNumber, Moment> {
  const moments = new Map<AgentNumber, Moment>()
  for (const event of events) {
    if (event.type === 'agent-queued') {
      const agent = agents[event.agent - 1]
      if (agent?.endedAt !== undefined)
        moments.set(event.agent, { agent, queued: event.seq, started: event.seq, ended: event.seq })
    } else if (event.type === 'agent-started' && event.attempt === 1) {
      const moment = moments.get(event.agent)
      if (moment !== undefined) moment.started = event.seq
    } else if (event.type === 'agent-ended') {
      const moment = moments.get(event.agent)
      if (moment !== undefined) moment.ended = event.seq
    }
  }
  return moments
}

function findPredecessor(moment: Moment, byEnd: readonly Moment[]): Moment | undefined {
  const { agent } = moment
  // A call that got its permit later than it was made waited for whoever gave one back; otherwise its making waited.
  const waited = agent.startedAt !== undefined && agent.startedAt > agent.queuedAt
  const before = waited ? moment.started : moment.queued
  let index = countBefore(byEnd, before) - 1
  const last = byEnd[index]
  if (last === undefined || waited) return last
  // Of several that ended in this moment, the one whose place in the script is nearest; of those, the last.
  let best = last
  for (let other: Moment | undefined = last; other?.agent.endedAt === agent.queuedAt; other = byEnd[--index]) {
    if (sharedScopes(other.agent.path, agent.path) > sharedScopes(best.agent.path, agent.path)) best = other
  }
  return best
}

/** How many ended before that place in the stream; `byEnd` is in the order of their ends. */
function countBefore(byEnd: readonly Moment[], seq: number): number {
  let low = 0
  let high = byEnd.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((byEnd[middle]?.ended ?? Infinity) < seq) low = middle + 1
    else high = middle
  }
  return low
}

function sharedScopes(a: string, b: string): number {
  const left = a.split('/')
  const right = b.split('/')
  let shared = 0
  while (shared < left.length && shared < right.length && left[shared] === right[shared]) shared++
  return shared
}
