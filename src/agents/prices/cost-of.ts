// What one request cost, from its tokens by class. Whatever is not known makes the cost unknown, never smaller.

import type { Usage } from '../../shared/index.ts'
import { PRICES, type PriceEntry, type TokenPrice } from './price-table.ts'

export interface PriceQuestion {
  provider: string
  model: string
  /** Milliseconds since the epoch. */
  at: number
}

/** In US dollars; undefined when not known. `own` prices, by model, come before those of the table. */
export function costOf(
  usage: Usage,
  question: PriceQuestion,
  own: Readonly<Record<string, TokenPrice>> = {},
  table: readonly PriceEntry[] = PRICES,
): number | undefined {
  const { outputTokens, inputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage
  // No request comes without input: it was not told.
  if (inputTokens === undefined) return undefined
  const price = findPrice(question, inputTokens, own, table)
  if (price === undefined) return undefined
  const parts = [
    [inputTokens - cacheReadTokens - cacheWriteTokens, price.input],
    [cacheReadTokens, price.cacheRead],
    [cacheWriteTokens, price.cacheWrite],
    [outputTokens, price.output],
  ] as const
  let sum = 0
  for (const [tokens, rate] of parts) {
    if (tokens === 0) continue
    if (rate === undefined || tokens < 0) return undefined
    sum += tokens * rate
  }
  return sum / 1_000_000
}

function findPrice(
  { provider, model, at }: PriceQuestion,
  inputTokens: number,
  own: Readonly<Record<string, TokenPrice>>,
  table: readonly PriceEntry[],
): TokenPrice | undefined {
  if (Object.hasOwn(own, model)) return own[model]
  const name = withoutDate(model)
  const entry = table.find((one) => one.provider === provider && one.models.includes(name))
  if (entry === undefined || isOver(entry, at)) return undefined
  const { above, price } = entry
  return above !== undefined && inputTokens > above.tokens ? above.price : price
}

/** `claude-haiku-4-5-20251001`, `gpt-5.4-2026-03-05`. */
function withoutDate(model: string): string {
  return model.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, '')
}

function isOver({ until }: PriceEntry, at: number): boolean {
  return until !== undefined && at >= Date.parse(`${until}T00:00:00Z`) + 86_400_000
}
