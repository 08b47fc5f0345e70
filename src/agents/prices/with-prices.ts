// Gives a back end that tells tokens but no money the prices of the settings. Those of the table are no use here: who signs in
// to a CLI with a subscription does not pay by the token.

import type { AgentBackend } from '../../engine/index.ts'
import { costOf } from './cost-of.ts'
import type { TokenPrice } from './price-table.ts'

/** `prices` by model. A call that names no model, or one without a price, has a cost that nobody knows, as before. */
export function withPrices(
  backend: AgentBackend,
  prices: Readonly<Record<string, TokenPrice>> | undefined,
): AgentBackend {
  if (prices === undefined) return backend
  return {
    ...backend,
    capabilities: { ...backend.capabilities, cost: true },
    runner: {
      async run(request, host, signal, onProgress) {
        const result = await backend.runner.run(request, host, signal, onProgress)
        const { model } = request
        if (result.kind === 'skipped' || model === undefined) return result
        const { usage } = result
        if (usage === undefined || usage.costUsd !== undefined) return result
        const costUsd = costOf(usage, { provider: '', model, at: 0 }, prices, [])
        return costUsd === undefined ? result : { ...result, usage: { ...usage, costUsd } }
      },
    },
  }
}
