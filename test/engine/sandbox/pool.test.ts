import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { SandboxPool } from '../../../src/engine/sandbox/pool.ts'
import { bundleWorker } from '../../support/engine/worker-files.ts'

/** The next worker thread that is made in this process. */
async function nextWorker(): Promise<Worker> {
  // What the event hands over, by its documentation.
  const [worker] = (await once(process, 'worker')) as [Worker]
  return worker
}

test('a locked-down worker is ready before anybody asks, another one follows it, and none outlives the pool', async () => {
  const file = await bundleWorker('engine/sandbox/worker.ts')
  const first = nextWorker()
  const pool = new SandboxPool(file, { syncTimeoutMs: 5000, memoryMiB: 128 })
  const warm = await first
  await once(warm, 'message')
  const second = nextWorker()
  const taken = await pool.take()
  expect(taken.worker).toBe(warm)
  const next = await second
  expect(next).not.toBe(warm)
  const ends = [warm, next].map((worker) => once(worker, 'exit'))
  taken.end()
  pool.close()
  await Promise.all(ends)
})

test('the next worker waits while a script keeps the processor, but not for ever', async () => {
  const pool = new SandboxPool(await bundleWorker('engine/sandbox/worker.ts'), { syncTimeoutMs: 5000, memoryMiB: 128 })
  await nextWorker()
  const taken = await pool.take()
  const next = nextWorker()
  const start = performance.now()
  const script = { group: 0, name: 'loop', fileName: 'loop.js', code: 'for (;;);', positions: [] }
  taken.send({ type: 'start', script, args: {}, budgetTotal: null, maxItems: 1 })
  await next
  // Timers may be late, but never this early.
  expect(performance.now() - start).toBeGreaterThan(900)
  taken.end()
  pool.close()
})
