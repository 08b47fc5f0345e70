import { describe, expect, it } from 'vitest'
import { costOf } from '../../../src/agents/prices/cost-of.ts'
import { PRICES } from '../../../src/agents/prices/price-table.ts'

const at = Date.parse('2026-12-01T12:00:00Z')
const M = 1_000_000

describe('the cost of a request', () => {
  it('is the sum of its classes, cached input apart from the rest of the input', () => {
    const usage = { inputTokens: 4 * M, cacheReadTokens: 2 * M, cacheWriteTokens: M, outputTokens: M }
    const question = { provider: 'anthropic', model: 'claude-opus-5', at }
    expect(costOf(usage, question)).toBeCloseTo(5 + 2 * 0.5 + 6.25 + 25, 9)
  })

  it('counts reasoning as the output that it is part of', () => {
    const question = { provider: 'openai', model: 'gpt-5.4-nano', at }
    const usage = { inputTokens: M, outputTokens: M }
    expect(costOf({ ...usage, reasoningTokens: M }, question)).toBe(costOf(usage, question))
  })

  it('goes by the length of the request where the price does', () => {
    const question = { provider: 'google', model: 'gemini-3.1-pro-preview', at }
    expect(costOf({ inputTokens: 200_000, outputTokens: 0 }, question)).toBeCloseTo(0.4, 9)
    expect(costOf({ inputTokens: 200_001, outputTokens: 0 }, question)).toBeCloseTo(0.800004, 9)
  })

  it('takes a model with a date behind its name for the same model', () => {
    for (const model of ['claude-haiku-4-5', 'claude-haiku-4-5-20251001'])
      expect(costOf({ inputTokens: M, outputTokens: 0 }, { provider: 'anthropic', model, at })).toBe(1)
  })

  it.each([
    ['a model that is not in the table', { inputTokens: 1, outputTokens: 1 }, 'gpt-99', 'openai'],
    ['a model of another provider', { inputTokens: 1, outputTokens: 1 }, 'gpt-5.4', 'openai-compatible'],
    ['input that was not told', { outputTokens: 1 }, 'gpt-5.4', 'openai'],
    [
      'cached input without a price',
      { inputTokens: 9, cacheReadTokens: 1, outputTokens: 1 },
      'gemini-3.5-flash',
      'google',
    ],
    ['a longer request without a price', { inputTokens: 272_001, outputTokens: 1 }, 'gpt-5.4', 'openai'],
    ['counts that contradict each other', { inputTokens: 1, cacheReadTokens: 2, outputTokens: 1 }, 'gpt-5.4', 'openai'],
  ])('is unknown, not zero, for %s', (_what, usage, model, provider) => {
    expect(costOf(usage, { provider, model, at })).toBeUndefined()
  })

  it('is unknown once a price has run out', () => {
    const question = { provider: 'google', model: 'gemini-3.8-flash' }
    const usage = { inputTokens: M, outputTokens: 0 }
    expect(costOf(usage, { ...question, at: Date.parse('2026-12-31T23:59:59Z') })).toBe(0.75)
    expect(costOf(usage, { ...question, at: Date.parse('2027-01-01T00:00:00Z') })).toBeUndefined()
  })

  it("is the user's own where they gave one, a free model included", () => {
    const own = { 'gpt-5.4': { input: 1, output: 2 }, local: { input: 0, output: 0 } }
    const usage = { inputTokens: M, outputTokens: M }
    expect(costOf(usage, { provider: 'openai', model: 'gpt-5.4', at }, own)).toBe(3)
    expect(costOf(usage, { provider: 'openai-compatible', model: 'local', at }, own)).toBe(0)
  })
})

describe('the table', () => {
  it('has for each price a day that has been, and a source', () => {
    for (const { date, source, models } of PRICES) {
      expect(Date.parse(`${date}T00:00:00Z`), models.join()).toBeLessThan(Date.parse('2026-12-02T00:00:00Z'))
      expect(source).toMatch(/^https:\/\//)
    }
  })

  it('has each model once', () => {
    const all = PRICES.flatMap(({ provider, models }) => models.map((model) => `${provider}/${model}`))
    expect(new Set(all).size).toBe(all.length)
  })
})
