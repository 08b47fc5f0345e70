import { expect, it } from 'vitest'
import {
  formatAgo,
  formatCost,
  formatCount,
  formatDuration,
  formatTicking,
} from '../../../src/renderer/state/format.ts'

it('writes durations with as much detail as their length needs', () => {
  expect([-5, 0, 449, 9_999, 12_300, 185_000, 7_620_000].map(formatDuration)).toEqual([
    '0.0 s',
    '0.0 s',
    '0.4 s',
    '9.9 s',
    '12 s',
    '3 m 05 s',
    '2 h 07 m',
  ])
})

it('writes ticking times in whole seconds', () => {
  expect([0, 1999, 61_000].map(formatTicking)).toEqual(['0 s', '1 s', '1 m 01 s'])
})

it('writes counts short, never rounding up into the next unit', () => {
  expect([0, 999, 1000, 1250, 9999, 34_567, 999_999, 1_000_000, 1_250_000].map(formatCount)).toEqual([
    '0',
    '999',
    '1k',
    '1.2k',
    '9.9k',
    '34k',
    '999k',
    '1M',
    '1.2M',
  ])
})

it('writes small costs with four places', () => {
  expect([0, 0.0042, 0.01, 1.2].map(formatCost)).toEqual(['$0.00', '$0.0042', '$0.01', '$1.20'])
})

it('writes how long ago something was, and the date after a week', () => {
  const now = new Date(2026, 10, 30, 12).getTime()
  const ago = (ms: number): string => formatAgo(now - ms, now)
  expect([ago(5000), ago(300_000), ago(7_200_000), ago(3 * 86_400_000), ago(20 * 86_400_000)]).toEqual([
    'just now',
    '5 m ago',
    '2 h ago',
    '3 d ago',
    '2026-11-10',
  ])
})
