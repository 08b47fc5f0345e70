// Which call of one run is which of another: by prompt and options first, then by place.

import type { AgentState, CallFate } from '../../shared/index.ts'

export interface CallMatch {
  a: AgentState | undefined
  b: AgentState | undefined
  /** `same` says here that place, prompt and options are; what came of it is not looked at. */
  fate: CallFate
}

/** In the order of `b`, calls of `a` alone behind the one that they followed. */
export function matchCalls(a: readonly AgentState[], b: readonly AgentState[]): CallMatch[] {
  const found = new Map<AgentState, CallMatch>()
  const pair = (keyOf: (call: AgentState) => string, fate: CallFate): void => {
    const left = groupBy(
      a.filter((call) => !found.has(call)),
      keyOf,
    )
    for (const call of b) {
      if (found.has(call)) continue
      const earlier = left.get(keyOf(call))?.shift()
      if (earlier === undefined) continue
      const match = { a: earlier, b: call, fate }
      found.set(earlier, match)
      found.set(call, match)
    }
  }
  pair(({ path, key }) => `${path} ${key}`, 'same')
  pair(({ key }) => key, 'moved')
  pair(({ path }) => path, 'changed')
  return inOrder(a, b, found)
}

function inOrder(
  a: readonly AgentState[],
  b: readonly AgentState[],
  found: ReadonlyMap<AgentState, CallMatch>,
): CallMatch[] {
  /** Removed calls, by the match that they follow. */
  const behind = new Map<CallMatch | undefined, CallMatch[]>()
  let last: CallMatch | undefined
  for (const call of a) {
    const match = found.get(call)
    if (match !== undefined) last = match
    else behind.set(last, [...(behind.get(last) ?? []), { a: call, b: undefined, fate: 'removed' }])
  }
  const ordered = b.map((call): CallMatch => found.get(call) ?? { a: undefined, b: call, fate: 'added' })
  return [...(behind.get(undefined) ?? []), ...ordered.flatMap((match) => [match, ...(behind.get(match) ?? [])])]
}

function groupBy(calls: readonly AgentState[], keyOf: (call: AgentState) => string): Map<string, AgentState[]> {
  const groups = new Map<string, AgentState[]>()
  for (const call of calls) {
    const key = keyOf(call)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [call])
    else group.push(call)
  }
  return groups
}
