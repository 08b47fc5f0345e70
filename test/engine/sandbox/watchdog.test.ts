import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { Sandbox } from '../../../src/engine/sandbox/sandbox.ts'
import { Watchdog, type Overrun } from '../../../src/engine/sandbox/watchdog.ts'

const SPINS = `data:text/javascript,
  import { parentPort } from 'node:worker_threads'
  parentPort.on('message', () => { for (;;); })`

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A worker that never yields, watched by a watchdog whose time is given in ticks. */
function watchSpinning(syncTimeoutMs: number) {
  let now = 0
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const watchdog = new Watchdog({ syncTimeoutMs, memoryMiB: 1024 })
  const overruns: Overrun[] = []
  const sandbox = new Sandbox(new URL(SPINS), 64, (busy) => watchdog.watch(busy))
  onTestFinished(() => sandbox.end())
  watchdog.onOverrun(sandbox, (overrun) => overruns.push(overrun))
  sandbox.send({ type: 'cancel', reason: 'anything' })
  /** The timer fires `count` times, each `elapsedMs` after the last. */
  const tick = (count: number, elapsedMs: number) => {
    for (let index = 0; index < count; index++) {
      now += elapsedMs
      vi.advanceTimersByTime(20)
    }
  }
  return { overruns, tick }
}

test('a script that does not yield is reported once its time is up, and once only', () => {
  const { overruns, tick } = watchSpinning(1000)
  tick(49, 20)
  expect(overruns).toEqual([])
  tick(1, 20)
  expect(overruns).toEqual(['stuck'])
  tick(100, 20)
  expect(overruns).toEqual(['stuck'])
})

test('time in which the machine slept or was starved is not held against a script', () => {
  const { overruns, tick } = watchSpinning(1000)
  // A laptop closed for an hour, then a minute of stutter: 40 ticks that count as one each.
  tick(1, 3_600_000)
  tick(39, 1500)
  expect(overruns).toEqual([])
  tick(9, 20)
  expect(overruns).toEqual([])
  tick(1, 20)
  expect(overruns).toEqual(['stuck'])
})
