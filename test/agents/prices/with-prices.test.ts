import { describe, expect, it } from 'vitest'
import { withPrices } from '../../../src/agents/prices/with-prices.ts'
import type { AgentRunResult } from '../../../src/engine/index.ts'
import type { Usage } from '../../../src/shared/index.ts'
import { createBackend } from '../../support/engine/scripted-backend.ts'
import { makeRequest, NO_HOST } from '../requests.ts'

const PRICES = { 'm-1': { input: 2, output: 10 } }

async function costFor(result: AgentRunResult, model: string | undefined): Promise<number | undefined> {
  const backend = withPrices(
    createBackend(() => result),
    PRICES,
  )
  const request = makeRequest(model === undefined ? {} : { model })
  const told = await backend.runner.run(request, NO_HOST, new AbortController().signal, () => {})
  return told.kind === 'skipped' ? undefined : told.usage?.costUsd
}
const ok = (usage: Usage): AgentRunResult => ({ kind: 'ok', output: 'x', usage })

describe('a back end with prices of its own', () => {
  it('tells what a call cost, a failed one as well', async () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 100_000 }
    expect(await costFor(ok(usage), 'm-1')).toBe(3)
    expect(await costFor({ kind: 'dead', error: 'gone', failure: 'other', usage }, 'm-1')).toBe(3)
  })

  it('keeps the cost that the agent told itself', async () => {
    expect(await costFor(ok({ inputTokens: 1, outputTokens: 1, costUsd: 7 }), 'm-1')).toBe(7)
  })

  it.each([
    ['a call without a model', ok({ inputTokens: 1, outputTokens: 1 }), undefined],
    ['another model', ok({ inputTokens: 1, outputTokens: 1 }), 'm-2'],
    ['input that was not told', ok({ outputTokens: 1 }), 'm-1'],
    ['no usage', { kind: 'dead', error: 'gone', failure: 'other' } as const, 'm-1'],
  ])('does not know that of %s', async (_what, result, model) => {
    expect(await costFor(result, model)).toBeUndefined()
  })

  it('is the same back end where there are no prices', () => {
    const backend = createBackend()
    expect(withPrices(backend, undefined)).toBe(backend)
  })
})
