// What agents consumed. A number that a back end does not report is absent, never zero.

import { plural } from '../lib/text.ts'

export interface Usage {
  outputTokens: number
  inputTokens?: number
  cacheReadTokens?: number
  cacheWriteTokens?: number
  reasoningTokens?: number
  costUsd?: number
}

/** Totals of a run: what it spent itself, and what replayed calls had cost the run they came from. */
export interface UsageTotals {
  inputTokens: number
  outputTokens: number
  cacheReadTokens: number
  cacheWriteTokens: number
  reasoningTokens: number
  /** US dollars; null until some back end reports a cost. */
  costUsd: number | null
  /** Agents that have used tokens, as far as is known, and of which nobody knows what they cost. */
  unpricedAgents: number
  replayedOutputTokens: number
}

export const NO_USAGE: UsageTotals = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  costUsd: null,
  unpricedAgents: 0,
  replayedOutputTokens: 0,
}

/** Sums two usages; a class that neither reports stays absent. */
export function sumUsage(a: Usage, b: Usage): Usage {
  const sum: Usage = { outputTokens: a.outputTokens + b.outputTokens }
  for (const name of ['inputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens', 'costUsd'] as const) {
    if (a[name] !== undefined || b[name] !== undefined) sum[name] = (a[name] ?? 0) + (b[name] ?? 0)
  }
  return sum
}

export function addUsage(totals: UsageTotals, usage: Usage, replayed: boolean): UsageTotals {
  if (replayed) return { ...totals, replayedOutputTokens: totals.replayedOutputTokens + usage.outputTokens }
  return {
    ...totals,
    inputTokens: totals.inputTokens + (usage.inputTokens ?? 0),
    outputTokens: totals.outputTokens + usage.outputTokens,
    cacheReadTokens: totals.cacheReadTokens + (usage.cacheReadTokens ?? 0),
    cacheWriteTokens: totals.cacheWriteTokens + (usage.cacheWriteTokens ?? 0),
    reasoningTokens: totals.reasoningTokens + (usage.reasoningTokens ?? 0),
    costUsd: usage.costUsd === undefined ? totals.costUsd : (totals.costUsd ?? 0) + usage.costUsd,
    unpricedAgents: totals.unpricedAgents + (usage.costUsd === undefined ? 1 : 0),
  }
}

/** `$1.20`; `≥ $1.20, 3 agents unknown` where some agents' cost is not known; null where none is. */
export function describeCost(
  { costUsd, unpricedAgents }: Pick<UsageTotals, 'costUsd' | 'unpricedAgents'>,
  format: (usd: number) => string,
): string | null {
  if (costUsd === null) return null
  const known = format(costUsd)
  return unpricedAgents === 0 ? known : `≥ ${known}, ${plural(unpricedAgents, 'agent')} unknown`
}
