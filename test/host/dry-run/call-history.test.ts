import { expect, test } from 'vitest'
import { CallHistory, readCallHistory } from '../../../src/host/dry-run/call-history.ts'
import { asRunId } from '../../../src/shared/index.ts'
import type { CallSample } from '../../../src/store/index.ts'

const sample = (durationMs: number, rest: Partial<CallSample> = {}): CallSample => ({
  runId: asRunId('RUN1'),
  label: 'find',
  phase: 'Find',
  backend: 'real',
  durationMs,
  usage: null,
  ...rest,
})

test('a call is likened to those of its label, else of its phase, else to all', () => {
  const history = new CallHistory([sample(1), sample(2, { label: 'look' }), sample(3, { label: 'judge', phase: null })])
  const durations = (label: string, phase: string | null) => history.find({ label, phase }).map((one) => one.durationMs)
  expect(durations('find', 'Judge')).toEqual([1])
  expect(durations('new', 'Find')).toEqual([1, 2])
  expect(durations('new', null)).toEqual([3])
  expect(durations('new', 'New')).toEqual([1, 2, 3])
  expect(new CallHistory([]).find({ label: 'find', phase: null })).toEqual([])
})

test('only the runs of samples that were given out count', () => {
  const history = new CallHistory([
    sample(1, { runId: asRunId('A') }),
    sample(1, { runId: asRunId('B') }),
    sample(1, { runId: asRunId('C'), label: 'judge' }),
  ])
  expect(history.consulted.size).toBe(0)
  history.find({ label: 'find', phase: null })
  expect([...history.consulted]).toEqual(['A', 'B'])
})

test('a call that took far longer than the others of its kind, as one that sat out a limit, is left out', () => {
  const hours = 5 * 3_600_000
  const find = (...durations: number[]) =>
    new CallHistory(durations.map((ms) => sample(ms))).find({ label: 'find', phase: null }).map((one) => one.durationMs)
  expect(find(20_000, hours, 30_000, 180_000)).toEqual([20_000, 30_000, 180_000])
  expect(find(20_000, hours)).toEqual([20_000, hours])
})

test('a sample has the tokens that were reported and no others', () => {
  const usage = { outputTokens: 5, cacheReadTokens: 9 }
  const history = new CallHistory([sample(1, { usage }), sample(2)])
  expect(history.find({ label: 'find', phase: null })).toEqual([{ durationMs: 1, outputTokens: 5 }, { durationMs: 2 }])
})

test("a real run's calls on simulated back ends are no history", async () => {
  const samples = ['real', 'simulated', 'rehearsal', 'gone'].map((backend, n) => sample(n, { backend }))
  const settings = { backends: { real: { kind: 'acp' as const }, rehearsal: { kind: 'simulated' as const } } }
  const store = { readCallHistory: () => Promise.resolve(samples) }
  const history = await readCallHistory(store, { workflow: 'w', workspace: '/w', settings })
  expect(history.find({ label: 'find', phase: null }).map(({ durationMs }) => durationMs)).toEqual([0, 3])
})
