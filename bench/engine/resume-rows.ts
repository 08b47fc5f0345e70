// What is finished is replayed: a run's 1,000 calls, and the journal of one with 100,000.

import { statSync } from 'node:fs'
import type { JournalRow } from '../../src/engine/index.ts'
import { asAgentNumber, asCallKey, asCallPath } from '../../src/shared/index.ts'
import { interleave, ROUNDS, settle, time } from '../lib/measure.ts'
import { toRow, type Benchmark, type Row } from '../lib/row.ts'
import { keepIn, keepNothing, openBenchEngine, type BenchEngine, type RunOptions } from './bench-run.ts'
import { BODIES } from './scripts.ts'

export const RESUME_ROWS = {
  resume: { name: 'resume of 1,000 finished calls', goal: 'resume', referenceName: 'allowed', unit: 'ms', limit: 1 },
  resumeNull: {
    name: 'resume of 1,000 finished calls, durable',
    goal: 'resume',
    referenceName: 'the same on the null store',
    unit: 'ms',
    limit: 1.5,
  },
  journal: {
    name: 'journal of 100,000 rows read for a resume',
    goal: 'journal',
    referenceName: 'allowed',
    unit: 'ms',
    limit: 1,
  },
  journalMemory: {
    name: 'journal of 100,000 rows in memory',
    goal: 'journal',
    referenceName: 'size of its file',
    unit: 'MB',
    limit: 2,
  },
} satisfies Record<string, Benchmark>

const RESUME_MS = 200
const JOURNAL_MS = 3000
const JOURNAL_ROWS = 100_000
const ANSWER = 'The function reads its argument twice; the second read may see another value. '.repeat(4)

export async function measureResume(rounds = ROUNDS): Promise<Row[]> {
  const bench = await openBenchEngine()
  try {
    const { runId: resumeFrom } = await bench.run(BODIES.parallel)
    const rows = await bench.store.journal.readReplayable(resumeFrom)
    const resume = (options: RunOptions) => async () => {
      await settle()
      return (await bench.run(BODIES.parallel, { resumeFrom, ...options })).ms
    }
    const resumed = await interleave({ ours: resume({}), reference: resume({ keeping: keepNothing(rows) }) }, rounds)
    return [
      toRow(RESUME_ROWS.resume, { ours: resumed.ours, reference: RESUME_MS }),
      toRow(RESUME_ROWS.resumeNull, resumed),
      ...(await measureJournal(bench)),
    ]
  } finally {
    await bench.close()
  }
}

async function measureJournal(bench: BenchEngine): Promise<Row[]> {
  const { file, store } = bench
  const before = statSync(file).size
  const { runId } = await bench.run(BODIES.empty)
  const writes: Promise<void>[] = []
  for (let n = 1; n <= JOURNAL_ROWS; n++) {
    writes.push(
      store.journal.closeCall(runId, {
        agent: asAgentNumber(n),
        path: asCallPath(`/parallel:0/branch:${n}/agent:0`),
        key: asCallKey(String(n).padStart(64, '0')),
        outcome: 'completed',
        result: ANSWER,
        usage: { outputTokens: 100 },
        durationMs: 1000,
        startedSeq: n,
        origin: runId,
      }),
    )
    // So that the writer need not hold all of them at once.
    // oxlint-disable-next-line no-await-in-loop
    if (n % 2000 === 0) await Promise.all(writes.splice(0))
  }
  await settle(2000)
  const size = Math.max(1, statSync(file).size + statSync(`${file}-wal`).size - before)
  const memory: number[] = []
  const read = async (): Promise<number> => {
    globalThis.gc?.()
    const heap = process.memoryUsage().heapUsed
    let rows: JournalRow[] = []
    const ms = await time(async () => {
      rows = await keepIn(store).journal.readReplayable(runId)
    })
    if (rows.length !== JOURNAL_ROWS) throw new Error(`${rows.length} rows were read of ${JOURNAL_ROWS}`)
    globalThis.gc?.()
    memory.push((process.memoryUsage().heapUsed - heap) / 1e6)
    return ms
  }
  const { ms } = await interleave({ ms: read }, 7)
  memory.sort((a, b) => a - b)
  return [
    toRow(RESUME_ROWS.journal, { ours: ms, reference: JOURNAL_MS }),
    toRow(RESUME_ROWS.journalMemory, { ours: memory[memory.length >> 1] ?? Number.NaN, reference: size / 1e6 }),
  ]
}
