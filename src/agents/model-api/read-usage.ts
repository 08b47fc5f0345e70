// Tokens of one request as Weft counts them: input with what the cache gave and took, output with reasoning.

import type { LanguageModelUsage } from 'ai'
import type { Usage } from '../../shared/index.ts'

/** Undefined when the provider told nothing. Classes that it does not tell, and those that are 0, are absent. */
export function readUsage({
  inputTokens,
  inputTokenDetails,
  outputTokens,
  outputTokenDetails,
}: LanguageModelUsage): Usage | undefined {
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  const { cacheReadTokens, cacheWriteTokens } = inputTokenDetails
  const classes = {
    inputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens: outputTokenDetails.reasoningTokens,
  }
  const told = Object.entries(classes).filter(([, count]) => count !== undefined && count > 0)
  return { outputTokens: outputTokens ?? 0, ...Object.fromEntries(told) }
}
