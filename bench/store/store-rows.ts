// Lists and search over a full store: 1,000 runs of 200 agents each.

import { interleave, quantile } from '../lib/measure.ts'
import { toRow, type Benchmark, type Row } from '../lib/row.ts'
import { openFullStore, WORD_RANKS } from './full-store.ts'

const p95 = (name: string): Benchmark => ({
  name: `${name}, p95`,
  goal: 'store',
  referenceName: 'allowed',
  unit: 'ms',
  limit: 1,
})

export const STORE_ROWS = {
  list: p95('200 of 1,000 runs listed'),
  filter: p95('runs filtered by workspace, workflow and status'),
  rare: p95('search for a rare word among 400,000 texts'),
  common: p95('search for a word that is in half of all texts'),
  threeCommon: p95('search for three such words'),
  mixed: p95('search for two such words and two rare ones'),
  beginning: p95('search for the beginning of a word'),
} satisfies Record<string, Benchmark>

type Name = keyof typeof STORE_ROWS

const ALLOWED_MS = 50
const CALLS = 20

export async function measureStore(): Promise<Row[]> {
  const store = await openFullStore()
  const { rare, common, another, third } = WORD_RANKS
  const queries: Record<Name, (n: number) => unknown> = {
    list: (n) => store.listRuns({ offset: n * 40 }),
    filter: (n) => store.listRuns({ workspace: '/projects/1', workflow: `workflow-${n % 4}`, status: ['completed'] }),
    rare: (n) => store.search(rare[n % rare.length] ?? ''),
    common: () => store.search(common),
    threeCommon: () => store.search(`${common} ${another} ${third}`),
    mixed: (n) =>
      store.search(`${common} ${another} ${rare[n % rare.length] ?? ''} ${rare[(n + 1) % rare.length] ?? ''}`),
    beginning: (n) => store.search((rare[n % rare.length] ?? '').slice(0, 4)),
  }
  try {
    // The names are those of the record.
    const names = Object.keys(queries) as Name[]
    const measurements = Object.fromEntries(names.map((name) => [name, async () => worstOfMost(queries[name])]))
    const measured = await interleave(measurements, 7)
    return names.map((name) => toRow(STORE_ROWS[name], { ours: measured[name] ?? Number.NaN, reference: ALLOWED_MS }))
  } finally {
    await store.close()
  }
}

function worstOfMost(query: (n: number) => unknown): number {
  const times = Array.from({ length: CALLS }, (_, n) => {
    const start = performance.now()
    query(n)
    return performance.now() - start
  })
  return quantile(times, 0.95)
}
