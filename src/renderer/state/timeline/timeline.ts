// A run as bars over time: one row for each phase and nested workflow, and below it one for each of its agents, in the order
// in which they began. Data only; drawing is elsewhere.

import type { AgentNumber, AgentStatus } from '../../../shared/index.ts'
import type { AttemptGap } from '../runs/attempt-gaps.ts'
import type { AgentNode, TreeNode } from '../tree/run-tree.ts'

/** Times are milliseconds from the run's start. */
export interface TimelineBar {
  kind: 'agent'
  id: string
  agent: AgentNumber
  title: string
  status: AgentStatus
  level: number
  /** When it was queued; the bar begins at `start`. */
  queued: number
  /** Undefined for an agent that never began: it has a wait and no bar. */
  start: number | undefined
  /** Undefined while it is at work. */
  end: number | undefined
  attempts: number
  /** Between a failed attempt and the next one; the last may be open. */
  gaps: readonly { from: number; to: number | undefined }[]
}

export interface TimelineBand {
  kind: 'band'
  id: string
  title: string
  status: AgentStatus
  level: number
  agents: number
  start: number | undefined
  end: number | undefined
}

export type TimelineRow = TimelineBar | TimelineBand

export function buildTimeline(
  tree: readonly TreeNode[],
  runStart: number,
  gaps: ReadonlyMap<AgentNumber, readonly AttemptGap[]>,
): TimelineRow[] {
  const rows: TimelineRow[] = []
  const since = (at: number | undefined): number | undefined => (at === undefined ? undefined : at - runStart)
  const barOf = ({ id, title, status, agent }: AgentNode, level: number): TimelineBar => ({
    kind: 'agent',
    id,
    agent: agent.agent,
    title,
    status,
    level,
    queued: agent.queuedAt - runStart,
    // A replayed call takes no time: it is where it was answered.
    start: since(agent.startedAt ?? (status === 'replayed' ? agent.endedAt : undefined)),
    end: since(agent.endedAt),
    attempts: agent.attempt,
    gaps: (gaps.get(agent.agent) ?? []).map(({ failedAt, restartedAt }) => ({
      from: failedAt - runStart,
      to: since(restartedAt),
    })),
  })
  const visit = (nodes: readonly TreeNode[], level: number): void => {
    const agents = nodes.filter((node) => node.kind === 'agent').map((node) => barOf(node, level))
    agents.sort((a, b) => (a.start ?? Infinity) - (b.start ?? Infinity) || a.queued - b.queued || a.agent - b.agent)
    for (const agent of agents) rows.push(agent)
    for (const node of nodes) {
      if (node.kind === 'agent') continue
      const { id, title, status, agents: count, startedAt, endedAt } = node
      rows.push({ kind: 'band', id, title, status, level, agents: count, start: since(startedAt), end: since(endedAt) })
      visit(node.children, level + 1)
    }
  }
  visit(tree, 1)
  return rows
}

/** How many agents were at work at once, at most, in each of `buckets` equal parts of the time up to `length`. */
export function concurrencyOf(rows: readonly TimelineRow[], length: number, buckets: number): number[] {
  const steps: { at: number; by: number }[] = []
  for (const row of rows) {
    if (row.kind !== 'agent' || row.start === undefined || row.status === 'replayed') continue
    steps.push({ at: row.start, by: 1 }, { at: row.end ?? length, by: -1 })
  }
  // One that ends as another begins was not at work with it.
  steps.sort((a, b) => a.at - b.at || a.by - b.by)
  const peaks = Array.from({ length: buckets }, () => 0)
  if (length <= 0) return peaks
  let running = 0
  let next = 0
  for (let bucket = 0; bucket < buckets; bucket++) {
    const end = (length * (bucket + 1)) / buckets
    let peak = running
    for (let step = steps[next]; step !== undefined && step.at < end; step = steps[next]) {
      running += step.by
      peak = Math.max(peak, running)
      next++
    }
    peaks[bucket] = peak
  }
  return peaks
}

const STEPS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  900_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 43_200_000, 86_400_000,
]

/** Round times for the axis, at most `most` of them, from 0. */
export function axisTicks(length: number, most: number): number[] {
  const step = STEPS_MS.find((size) => length / size <= most) ?? 86_400_000 * Math.ceil(length / 86_400_000 / most)
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => index * step)
}

/** A tick in few characters: `0`, `250 ms`, `5 s`, `2:30`, `1:00:00`. */
export function formatTick(ms: number): string {
  if (ms === 0) return '0'
  if (ms < 1000) return `${ms} ms`
  if (ms < 60_000) return `${ms / 1000} s`
  const seconds = Math.floor(ms / 1000)
  const pad = (part: number): string => String(part).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes}:${pad(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(seconds % 60)}`
}
