import { describe, expect, it } from 'vitest'
import { addUsage, describeCost, NO_USAGE } from '../../../src/shared/index.ts'

const money = (usd: number): string => `$${usd.toFixed(2)}`

describe('the cost of a run', () => {
  it('is not known while no agent told one', () => {
    const totals = addUsage(NO_USAGE, { outputTokens: 5 }, false)
    expect(totals).toMatchObject({ costUsd: null, unpricedAgents: 1 })
    expect(describeCost(totals, money)).toBeNull()
  })

  it('is a sum where all told one, free ones included', () => {
    const totals = [1.5, 0].reduce((sum, costUsd) => addUsage(sum, { outputTokens: 5, costUsd }, false), NO_USAGE)
    expect(describeCost(totals, money)).toBe('$1.50')
  })

  it('says how many agents are not in it', () => {
    let totals = addUsage(NO_USAGE, { outputTokens: 5, costUsd: 1.2 }, false)
    totals = addUsage(totals, { outputTokens: 5 }, false)
    expect(describeCost(totals, money)).toBe('≥ $1.20, 1 agent unknown')
    totals = addUsage(totals, { outputTokens: 5 }, false)
    expect(describeCost(totals, money)).toBe('≥ $1.20, 2 agents unknown')
  })

  it('is not that of replayed calls', () => {
    expect(addUsage(NO_USAGE, { outputTokens: 5 }, true)).toMatchObject({ unpricedAgents: 0, replayedOutputTokens: 5 })
  })
})
