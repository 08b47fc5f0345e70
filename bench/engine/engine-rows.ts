// Runs of a script: ours with journal and events on disk, beside a peer that stores nothing and what the disk itself takes.

import { commitInLoop } from '../lib/limits.ts'
import { interleave, ROUNDS, settle } from '../lib/measure.ts'
import { openDsh } from '../lib/peers.ts'
import { toRow, type Benchmark, type Row } from '../lib/row.ts'
import { openBenchEngine, type RunOptions } from './bench-run.ts'
import { AGENTS, BODIES, CONCURRENCY, inHundreds } from './scripts.ts'

const DSH = 'dsh-workflow-worker-thread, nothing stored'

export const ENGINE_ROWS = {
  parallel: {
    name: '1,000 no-op agents in one parallel, durable',
    goal: 'parallel',
    referenceName: DSH,
    unit: 'ms',
    limit: 1,
  },
  pipeline: {
    name: '100 items through 10 stages, durable',
    goal: 'pipeline',
    referenceName: DSH,
    unit: 'ms',
    limit: 1.2,
  },
  sequential: {
    name: '1,000 agents one after the other, each committed first',
    goal: 'sequential',
    referenceName: 'bare loop of 1,000 synced commits',
    unit: 'ms',
    limit: 2,
  },
  empty: { name: 'empty run, warm worker', goal: 'empty', referenceName: DSH, unit: 'ms', limit: 1 },
  emptyAllowed: { name: 'empty run, warm worker: time', goal: 'empty', referenceName: 'allowed', unit: 'ms', limit: 1 },
  growth1000: {
    name: 'time an agent with 1,000 agents',
    goal: 'growth',
    referenceName: 'the same with 100 agents',
    unit: 'ms',
    limit: 1.3,
  },
  growth10000: {
    name: 'time an agent with 10,000 agents',
    goal: 'growth',
    referenceName: 'the same with 1,000 agents',
    unit: 'ms',
    limit: 1.3,
  },
} satisfies Record<string, Benchmark>

const EMPTY_MS = 15

export async function measureEngine(rounds = ROUNDS): Promise<Row[]> {
  const bench = await openBenchEngine()
  const dsh = await openDsh(CONCURRENCY)
  const ours = (body: string, options?: RunOptions) => async () => {
    await settle()
    return (await bench.run(body, options)).ms
  }
  const anAgent = (agents: number) => async () => (await ours(inHundreds(agents), { maxAgents: agents })()) / agents
  const rows: Row[] = []
  const { parallel, pipeline, sequential, empty } = BODIES
  try {
    const add = (benchmark: Benchmark, measured: { ours: number; reference: number }): void =>
      void rows.push(toRow(benchmark, measured))
    const peer = (body: string, agents: number) => () => dsh.run(body, agents)
    add(ENGINE_ROWS.parallel, await interleave({ ours: ours(parallel), reference: peer(parallel, AGENTS) }, rounds))
    add(ENGINE_ROWS.pipeline, await interleave({ ours: ours(pipeline), reference: peer(pipeline, AGENTS) }, rounds))
    const loop = (): Promise<number> => commitInLoop(`${bench.file}.loop`, AGENTS)
    add(ENGINE_ROWS.sequential, await interleave({ ours: ours(sequential), reference: loop }, rounds))
    const nothing = await interleave({ ours: ours(empty), reference: peer(empty, 0) }, rounds)
    add(ENGINE_ROWS.empty, nothing)
    add(ENGINE_ROWS.emptyAllowed, { ours: nothing.ours, reference: EMPTY_MS })
    const growth = await interleave({ few: anAgent(100), many: anAgent(1000), most: anAgent(10_000) }, rounds)
    add(ENGINE_ROWS.growth1000, { ours: growth.many, reference: growth.few })
    add(ENGINE_ROWS.growth10000, { ours: growth.most, reference: growth.many })
  } finally {
    await bench.close()
  }
  return rows
}
