import { expect, onTestFinished, test, vi } from 'vitest'
import { RunWatch } from '../../../src/host/session/run-watch.ts'
import type { RunEvent } from '../../../src/shared/index.ts'
import { EventLog } from '../../support/host/events.ts'

function makeEvents(count: number): RunEvent[] {
  const log = new EventLog().start()
  while (log.events.length < count)
    log.add(log.events.length, 'log', { message: 'x', level: 'log', source: 'log', phase: null, group: 0 })
  return log.events
}

// The clock is the one thing that is not real here: a frame is 16 ms of it.
function watch(stored: RunEvent[], options: { fromSeq?: number; congested?: () => boolean } = {}) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const batches: number[][] = []
  const errors: unknown[] = []
  const reads: number[] = []
  const view = new RunWatch({
    fromSeq: options.fromSeq ?? 1,
    lastSeq: stored.length,
    read(fromSeq, limit) {
      reads.push(fromSeq)
      return stored.slice(fromSeq - 1, fromSeq - 1 + limit)
    },
    deliver: (events) => void batches.push(events.map(({ seq }) => seq)),
    isCongested: options.congested ?? (() => false),
    onError: (error) => void errors.push(error),
  })
  onTestFinished(() => view.close())
  return {
    batches,
    errors,
    reads,
    view,
    store: (events: RunEvent[]): void => {
      stored.push(...events)
      view.push(events)
    },
  }
}

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)

test('stored events come from the asked number on, never before the answer to the call', () => {
  const { batches } = watch(makeEvents(5), { fromSeq: 3 })
  expect(batches).toEqual([])
  vi.runAllTimers()
  expect(batches).toEqual([[3, 4, 5]])
})

test('events that are stored while the first ones are being read are neither lost nor told twice', () => {
  const all = makeEvents(2600)
  const { batches, store } = watch(all.slice(0, 2300))
  vi.advanceTimersByTime(0)
  store(all.slice(2300, 2500))
  store(all.slice(2500))
  vi.runAllTimers()
  expect(batches.flat()).toEqual(upTo(1, 2600))
})

test('live events of one frame come as one batch', () => {
  const all = makeEvents(9)
  const { batches, store } = watch(all.slice(0, 3))
  vi.runAllTimers()
  store(all.slice(3, 5))
  vi.advanceTimersByTime(10)
  store(all.slice(5, 8))
  vi.advanceTimersByTime(6)
  store(all.slice(8))
  vi.runAllTimers()
  expect(batches).toEqual([[1, 2, 3], [4, 5, 6, 7, 8], [9]])
})

test('a watch that begins after the last event tells nothing before it is there', () => {
  const all = makeEvents(6)
  const { batches, store } = watch(all.slice(0, 3), { fromSeq: 6 })
  store(all.slice(3, 5))
  vi.runAllTimers()
  expect(batches).toEqual([])
  store(all.slice(5))
  vi.runAllTimers()
  expect(batches).toEqual([[6]])
})

test('an event told of twice by the store is delivered once', () => {
  const all = makeEvents(4)
  const { batches, view, store } = watch(all.slice(0, 2))
  store(all.slice(2))
  view.push(all.slice(1, 4))
  vi.runAllTimers()
  expect(batches.flat()).toEqual([1, 2, 3, 4])
})

test('a slow client holds nothing in memory and misses nothing', () => {
  const all = makeEvents(10_000)
  let congested = true
  const { batches, reads, store } = watch(all.slice(0, 1), { congested: () => congested })
  for (let i = 1; i < all.length; i += 100) store(all.slice(i, i + 100))
  vi.advanceTimersByTime(1000)
  expect(batches).toEqual([])
  congested = false
  vi.runAllTimers()
  expect(batches.flat()).toEqual(upTo(1, 10_000))
  expect(reads.length).toBeGreaterThan(5)
})

test('what is owed can be had at once', () => {
  const all = makeEvents(3)
  const { batches, view } = watch(all, { congested: () => true })
  view.drain()
  expect(batches.flat()).toEqual([1, 2, 3])
})

test('a store that can not be read ends the watch with an error instead of leaving a gap', () => {
  const { batches, errors, view } = watch([])
  view.push(makeEvents(5).slice(3))
  vi.runAllTimers()
  expect(batches).toEqual([])
  expect(errors).toEqual([new Error('the store has no event 1, though 5 is stored')])
})
