// A store with 1,000 runs of 200 agents, written through the store itself. It is kept in .cache for the next time.

import Database from 'better-sqlite3'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { MIGRATIONS } from '../../src/store/migrations/index.ts'
import type { Store } from '../../src/store/index.ts'
import {
  asAgentNumber,
  asCallKey,
  asCallPath,
  asRunId,
  asScriptHash,
  type RunEvent,
  type RunEventPayloads,
  type RunEventType,
  type RunId,
} from '../../src/shared/index.ts'
import { CACHE, loadProduct, WORKERS } from '../lib/build.ts'
import { settle } from '../lib/measure.ts'

const RUNS = 1000
const AGENTS = 200
const PROMPT_WORDS = 40
const RESULT_WORDS = 80
/** To be changed with what is written. */
const FORMAT = 1

const SYLLABLES = ['ka', 'lo', 'mi', 'ne', 'pu', 'ra', 'se', 'to', 'vi', 'zu', 'ber', 'dan', 'fil', 'gor', 'hem', 'jas']
const WORDS = Array.from({ length: 4096 }, (_, n) =>
  [n & 15, (n >> 4) & 15, n >> 8].map((index) => SYLLABLES[index] ?? '').join(''),
)

/** Words by how often they are used: the first of all are in about half of the texts. */
export const WORD_RANKS = {
  common: WORDS[1] ?? '',
  another: WORDS[2] ?? '',
  third: WORDS[3] ?? '',
  rare: WORDS.slice(3000, 3020),
}

let state = 1

function random(): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return state / 2 ** 32
}

/** Words as in natural text: the nth most frequent one is used 1/n as often as the first. */
function write(words: number): string {
  return Array.from({ length: words }, () => WORDS[Math.floor(WORDS.length ** random()) - 1] ?? '').join(' ')
}

export async function openFullStore(): Promise<Store> {
  mkdirSync(CACHE, { recursive: true })
  const schema = MIGRATIONS.at(-1)?.version ?? 0
  const file = join(CACHE, `full-${FORMAT}-${schema}.db`)
  if (!existsSync(file)) await fill(file)
  return open(file)
}

function open(file: string): Promise<Store> {
  const onError = (error: Error): void => void process.stderr.write(`${error.message}\n`)
  return loadProduct().openStore({ file, writerWorker: WORKERS.writer, onError })
}

async function fill(file: string): Promise<void> {
  const part = `${file}.part`
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${part}${suffix}`, { force: true })
  process.stderr.write(`writing ${RUNS} runs of ${AGENTS} agents, once …\n`)
  const store = await open(part)
  for (let run = 0; run < RUNS; run++) {
    // One run after the other, as the writer keeps up.
    // oxlint-disable-next-line no-await-in-loop
    await writeRun(store, run)
  }
  const db = new Database(part, { readonly: true })
  const left = db.prepare('SELECT count(*) FROM runs WHERE indexed = 0').pluck()
  // oxlint-disable-next-line no-await-in-loop
  while (left.get() !== 0) await settle(200)
  db.close()
  await store.close()
  renameSync(part, file)
}

async function writeRun(store: Store, run: number): Promise<void> {
  const runId: RunId = asRunId(`01FULL${String(run).padStart(20, '0')}`)
  const workflow = `workflow-${run % 10}`
  const scriptHash = asScriptHash(String(run % 10).padStart(64, '0'))
  await store.createRun({ runId, workflow, scriptHash, scriptText: 'return null', fileName: `${workflow}.js` })
  const startedAt = 1_700_000_000_000 + run * 60_000
  let seq = 0
  const add = <Type extends RunEventType>(type: Type, payload: RunEventPayloads[Type]): number => {
    // The payload is the one of `type`; TypeScript does not follow the generic through the spread.
    store.events.append(runId, { seq: ++seq, at: startedAt + seq, type, ...payload } as unknown as RunEvent)
    return seq
  }
  add('run-started', {
    runId,
    meta: { name: workflow, description: 'A benchmark.' },
    scriptHash,
    scriptPath: null,
    fileName: `${workflow}.js`,
    workspace: `/projects/${run % 3}`,
    backend: 'bench',
    simulated: false,
    dry: false,
    budgetTokens: null,
    maxConcurrentAgents: 16,
    maxAgents: 1000,
    startedBy: { kind: 'cli' },
    lineage: runId,
    resumedFrom: null,
  })
  const closed: Promise<void>[] = []
  for (let n = 1; n <= AGENTS; n++) closed.push(writeCall(store, runId, n, add))
  add('run-ended', { outcome: run % 7 === 0 ? 'error' : 'completed', degraded: false, durationMs: seq })
  await Promise.all(closed)
  await store.events.flush(runId)
}

function writeCall(
  store: Store,
  runId: RunId,
  n: number,
  add: <Type extends RunEventType>(type: Type, payload: RunEventPayloads[Type]) => number,
): Promise<void> {
  const agent = asAgentNumber(n)
  const path = asCallPath(`/parallel:0/branch:${n - 1}/agent:0`)
  const key = asCallKey(String(n).padStart(64, '0'))
  const prompt = write(PROMPT_WORDS)
  const label = prompt.slice(0, 60)
  const call = { agent, path, key, label, phase: null, group: 0, backend: 'bench' }
  const startedSeq = add('agent-queued', { ...call, promptPreview: prompt.slice(0, 200), promptLength: prompt.length })
  store.journal.openCall(runId, { agent, path, key, prompt, options: {}, startedSeq })
  add('agent-started', { agent, attempt: 1 })
  const result = write(RESULT_WORDS)
  const usage = { outputTokens: 100 }
  const end = { agent, outcome: 'completed' as const, durationMs: 1000 }
  add('agent-ended', { ...end, attempts: 1, usage, resultPreview: result.slice(0, 200) })
  return store.journal.closeCall(runId, { ...end, path, key, result, usage, startedSeq, origin: runId })
}
