import { describe, expect, it } from 'vitest'
import { formatCost, formatCount, formatDuration, formatSpent } from '../../../src/cli/render/format.ts'

describe('formatDuration', () => {
  it.each([
    [0, '0ms'],
    [999, '999ms'],
    [3149, '3.1s'],
    [9949, '9.9s'],
    [9951, '10s'],
    [59_400, '59s'],
    [59_600, '1m 00s'],
    [125_000, '2m 05s'],
    [3_720_000, '1h 02m'],
    [-3, '0ms'],
  ])('writes %d ms as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })
})

describe('formatCount', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [4100, '4.1k'],
    [999_940, '999.9k'],
    [999_999, '1.0M'],
    [1_200_000, '1.2M'],
  ])('writes %d as %s', (value, text) => {
    expect(formatCount(value)).toBe(text)
  })
})

describe('formatSpent', () => {
  it('gives spent and limit in the same unit', () => {
    expect(formatSpent(18_000, 18_000)).toBe('18,000 of 18,000 output tokens')
    expect(formatSpent(1240, null)).toBe('1,240 output tokens')
  })
})

describe('formatCost', () => {
  it('keeps the digits of small amounts', () => {
    expect([0, 1.234, 0.1, 0.00421].map(formatCost)).toEqual(['$0.00', '$1.23', '$0.10', '$0.0042'])
  })
})
