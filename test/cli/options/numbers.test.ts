import { describe, expect, it } from 'vitest'
import {
  parseBudget,
  parseConcurrency,
  parseLimit,
  parseMaxAgents,
  parsePort,
  parseRate,
  parseSeed,
} from '../../../src/cli/options/numbers.ts'

describe('parseBudget', () => {
  it.each([
    ['500k', 500_000],
    ['1.5M', 1_500_000],
    ['1.1k', 1100],
    ['200000', 200_000],
    ['2K', 2000],
    [' 7 ', 7],
  ])('takes %s as %d output tokens', (text, tokens) => {
    expect(parseBudget(text)).toBe(tokens)
  })

  it.each(['0', '0k', '0.0001k'])('refuses %s in words', (text) => {
    expect(() => parseBudget(text)).toThrow('A budget of 0 would refuse every agent. Leave --budget out for no limit.')
  })

  it.each(['', '-5', '5g', 'k', '1e3', '0x10', '1,000'])('refuses %j and says what it takes', (text) => {
    expect(() => parseBudget(text)).toThrow('20000, 500k, 1.5M')
  })

  it('refuses more tokens than can be counted exactly', () => {
    expect(() => parseBudget('99999999999999M')).toThrow('more tokens than can be counted')
  })
})

describe('whole numbers', () => {
  it('are taken within their range', () => {
    expect([parseConcurrency('256'), parseMaxAgents('1'), parseSeed('0'), parsePort('0'), parseLimit('1000')]).toEqual([
      256, 1, 0, 0, 1000,
    ])
  })

  it.each([
    [() => parseConcurrency('0'), 'nothing would ever run'],
    [() => parseConcurrency('257'), 'from 1 to 256'],
    [() => parseConcurrency('two'), 'from 1 to 256'],
    [() => parseMaxAgents('0'), 'would refuse every agent'],
    [() => parseMaxAgents('1.5'), 'at least 1'],
    [() => parseSeed('-1'), '0 or more'],
    [() => parsePort('65536'), '1 to 65535'],
    [() => parseLimit('0'), '1 to 1000'],
  ])('are refused outside of it (%#)', (parse, words) => {
    expect(parse).toThrow(words)
  })
})

describe('parseRate', () => {
  it.each([
    ['0.2', 0.2],
    ['20%', 0.2],
    ['.5', 0.5],
    ['0', 0],
    ['1', 1],
  ])('takes %s as %d', (text, rate) => {
    expect(parseRate(text)).toBe(rate)
  })

  it.each(['1.5', '120%', '-0.1', 'half', ''])('refuses %j', (text) => {
    expect(() => parseRate(text)).toThrow('Give a share from 0 to 1')
  })
})
