// A host at work: whether its main loop stays free, and whether it keeps something of the runs that are over.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { asRunId, type RunId } from '../../src/shared/index.ts'
import { openBenchHost, type BenchHost } from '../lib/bench-host.ts'
import { interleave, settle } from '../lib/measure.ts'
import { toRow, type Benchmark, type Row } from '../lib/row.ts'

export const HOST_ROWS = {
  loop: {
    name: 'main loop delay p99 under 8 runs × 16 agents',
    goal: 'loop',
    referenceName: 'allowed',
    unit: 'ms',
    limit: 1,
  },
  memory: {
    name: 'heap after 500 runs',
    goal: 'memory',
    referenceName: 'heap after the first 50',
    unit: 'MB',
    limit: 1.05,
  },
} satisfies Record<string, Benchmark>

const LOOP_MS = 20
const RUNS_AT_ONCE = 8
const RESOLUTION_MS = 1

const script = (agents: number): string => `export const meta = { name: 'busy', description: 'A benchmark.' }
const done = await parallel(Array.from({ length: ${agents} }, (_, i) => () => agent('Do part ' + i)))
return done.length`

export async function measureHost(): Promise<Row[]> {
  const host = await openBenchHost()
  try {
    const busy = prepare(host, 'busy', script(96), { delayMs: 400, progress: Array(8).fill('Reading on.') })
    const { delay } = await interleave({ delay: () => measureDelay(host, busy) }, 7)
    const brief = prepare(host, 'brief', script(10), { delayMs: 0 })
    return [
      toRow(HOST_ROWS.loop, { ours: delay, reference: LOOP_MS }),
      toRow(HOST_ROWS.memory, await growHeap(host, brief)),
    ]
  } finally {
    await host.close()
  }
}

/** A script with fixtures beside it; returns its path. */
function prepare({ workspace }: BenchHost, name: string, text: string, call: object): string {
  const path = join(workspace, `${name}.js`)
  writeFileSync(path, text)
  const answer = 'It is as it should be.'
  writeFileSync(join(workspace, `${name}.fixtures.json`), JSON.stringify({ calls: [{ answer, ...call }] }))
  return path
}

async function measureDelay(host: BenchHost, path: string): Promise<number> {
  await settle()
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  await Promise.all(Array.from({ length: RUNS_AT_ONCE }, () => runWatched(host, path)))
  delays.disable()
  return delays.percentile(99) / 1e6 - RESOLUTION_MS
}

async function growHeap(host: BenchHost, path: string): Promise<{ ours: number; reference: number }> {
  const runUpTo = async (count: number): Promise<number> => {
    // oxlint-disable-next-line no-await-in-loop
    for (let n = 0; n < count; n += 5) await Promise.all(Array.from({ length: 5 }, () => runWatched(host, path)))
    await settle(1000)
    globalThis.gc?.()
    const { heapUsed, external } = process.memoryUsage()
    return (heapUsed + external) / 1e6
  }
  const reference = await runUpTo(50)
  return { reference, ours: await runUpTo(450) }
}

/** Starts a run, follows it as a window does, and resolves at its end. */
async function runWatched({ session, workspace }: BenchHost, path: string): Promise<void> {
  const source = { kind: 'path' as const, path }
  const started = await session.call('run.start', { workspace, source, backend: 'simulated', maxConcurrentAgents: 16 })
  const runId: RunId = asRunId(started.runId)
  await new Promise<void>((resolve) => {
    const stop = session.on('run.events', (batch) => {
      if (batch.runId !== runId || batch.events.at(-1)?.type !== 'run-ended') return
      stop()
      resolve()
    })
    void session.call('run.watch', { runId, fromSeq: 1 })
  })
  await session.call('run.unwatch', { runId })
}
