// Runs a script through engine and store as the host does, with agents that answer at once: what is left is what we cost.

import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {
  AgentBackend,
  Engine,
  EventSink,
  HostHandle,
  JournalRow,
  JournalStore,
  Logger,
  StartRunOptions,
} from '../../src/engine/index.ts'
import { asRunId, asScriptHash, type JsonValue, type RunId } from '../../src/shared/index.ts'
import type { Store } from '../../src/store/index.ts'
import { loadProduct, WORKERS, type Product } from '../lib/build.ts'
import { CONCURRENCY, withMeta } from './scripts.ts'

const quiet: Logger = {
  debug() {},
  info() {},
  warn() {},
  error: (message) => void process.stderr.write(`${message}\n`),
}

const noop: AgentBackend = {
  id: 'no-op',
  kind: 'no-op',
  capabilities: {
    schema: 'native',
    models: true,
    effort: true,
    agentType: true,
    allowedTools: true,
    worktree: false,
    usage: 'exact',
    cost: false,
    steer: false,
    permissions: false,
    resumeSession: false,
  },
  runner: { run: () => Promise.resolve({ kind: 'ok', output: 'done', usage: { outputTokens: 1 } }) },
}

let runs = 0

function nextRunId(): RunId {
  return asRunId(`01BENCH${String(++runs).padStart(19, '0')}`)
}

/** Where a run's events and results go. */
export interface Keeping {
  events: EventSink
  journal: JournalStore
  create(runId: RunId, scriptText: string): Promise<void>
}

/** Keeps nothing; `rows` are what a resume is answered from. */
export function keepNothing(rows: readonly JournalRow[] = []): Keeping {
  return {
    events: { append() {}, flush: () => Promise.resolve() },
    journal: {
      openCall() {},
      closeCall: () => Promise.resolve(),
      saveResult: () => Promise.resolve(),
      readReplayable: () => Promise.resolve([...rows]),
    },
    create: () => Promise.resolve(),
  }
}

export function keepIn(store: Store): Keeping {
  return {
    events: store.events,
    journal: store.journal,
    create: (runId, scriptText) => {
      const scriptHash = asScriptHash(createHash('sha256').update(scriptText).digest('hex'))
      return store.createRun({ runId, workflow: 'bench', scriptHash, scriptText, fileName: 'bench.js' })
    },
  }
}

export interface BenchEngine {
  engine: Engine
  store: Store
  file: string
  product: Product
  /** From the script's text to the settled run; everything that a user waits for. */
  run(body: string, options?: RunOptions): Promise<{ runId: RunId; result: JsonValue; ms: number }>
  close(): Promise<void>
}

export interface RunOptions extends Partial<StartRunOptions> {
  keeping?: Keeping
}

export async function openBenchEngine(): Promise<BenchEngine> {
  const product = loadProduct()
  const folder = mkdtempSync(join(tmpdir(), 'weft-bench-'))
  const file = join(folder, 'weft.db')
  const store = await product.openStore({
    file,
    writerWorker: WORKERS.writer,
    onError: (error) => process.stderr.write(`${String(error)}\n`),
  })
  const engine = product.createEngine({ workers: WORKERS, logger: quiet, ids: { runId: nextRunId } })
  return {
    engine,
    store,
    file,
    product,
    async run(body, { keeping = keepIn(store), ...options } = {}) {
      const start = performance.now()
      const runId = nextRunId()
      const text = withMeta(body)
      const script = await engine.prepare({ text, fileName: 'bench.js', path: null })
      await keeping.create(runId, text)
      const { settled } = engine.start({
        runId,
        script,
        ports: {
          backends: { resolve: () => noop, ids: () => [noop.id] },
          events: keeping.events,
          journal: keeping.journal,
          permissions: { ask: () => Promise.resolve({ answer: 'reject', by: 'policy' }) },
          workflows: { resolve: () => Promise.reject(new Error('there are no other workflows')) },
          clock: product.systemClock,
        },
        // Never looked into by this back end.
        host: {} as HostHandle,
        workspace: '/workspace',
        startedBy: { kind: 'test' },
        backend: noop.id,
        simulated: false,
        dry: false,
        maxConcurrentAgents: CONCURRENCY,
        ...options,
      })
      const { outcome, degraded, result, error } = await settled
      const ms = performance.now() - start
      if (outcome !== 'completed' || degraded) throw new Error(`a run ended ${outcome}: ${error?.message ?? ''}`)
      return { runId, result, ms }
    },
    async close() {
      await engine.dispose()
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
