// Runs whose host is killed, and what has to be true of the data folder afterwards, however it was killed.

import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import {
  asAgentNumber,
  asRunId,
  foldRunAll,
  EMPTY_RUN,
  type HostCalls,
  type RunId,
  type RunState,
} from '../../../src/shared/index.ts'
import type { HostSession } from '../../../src/host/index.ts'
import { processesWith } from '../app/processes.ts'
import { bundleProgram } from '../engine/worker-files.ts'
import { bundledWorkers, hostOptions, makeFolders, writeFileIn, type Folders } from '../host/make-host.ts'
import { script } from '../host/scripts.ts'
import { waitUntil } from '../host/wait-until.ts'
import { createLogKeeper } from '../host/quiet-logger.ts'
import type { Victim } from './victim-host.ts'

export type StartParams = HostCalls['run.start']['params']
export type KillPoint = Pick<Victim, 'results' | 'at' | 'seed'>

const AGENT = join(import.meta.dirname, 'gated-agent.sh')

/**
 * Folders whose default back end is the gated agent, and whose workspace has a workflow `inner` of two calls. `prepare` may
 * put a disk of its own where the data folder is.
 */
export async function makeGatedFolders(): Promise<Folders>
export async function makeGatedFolders<Disk>(prepare: (dataDir: string) => Disk): Promise<Folders & { disk: Disk }>
export async function makeGatedFolders<Disk>(
  prepare?: (dataDir: string) => Disk,
): Promise<Folders & { disk: Disk | undefined }> {
  const folders = await makeFolders()
  const disk = prepare?.(folders.dataDir)
  mkdirSync(join(folders.root, 'acks'))
  const backends = { agent: { kind: 'command', protocol: 'jsonl', command: ['/bin/sh', AGENT, folders.root] } }
  const settings = { backends, defaultBackend: 'agent', maxConcurrentAgents: 6 }
  await writeFileIn(folders.dataDir, 'settings.json', JSON.stringify(settings))
  const inner = script('inner', "return await agent('in 2 ' + (await agent('in 1 ' + args)))")
  await writeFileIn(folders.workspace, 'workflows/inner.js', inner)
  return { ...folders, disk }
}

export const CALLS = 12
/** Twelve calls in a parallel, a pipeline, a nested workflow, and around them. */
export const BODY = `
  const a = await agent('a')
  const found = await Promise.all([
    parallel(['b', 'c'].map((v) => async () => agent(v + ' 2 ' + (await agent(v + ' 1'))))),
    pipeline(['x', 'y'], (v) => agent('one ' + v), (p) => agent('two ' + p)),
    workflow('inner', 'n'),
  ])
  return [a, found, await agent('end'), budget.spent()]`
export const RESULT = [
  'a!',
  [['b 2 b 1!!', 'c 2 c 1!!'], ['two one x!!', 'two one y!!'], 'in 2 in 1 n!!'],
  'end!',
  CALLS * 5,
]

export function wishOf({ workspace }: Folders, body = BODY): StartParams {
  return { workspace, source: { kind: 'text', text: script('test', body), fileName: 'test.js' } }
}

/** The agent of that call waits no longer. */
export function letOn({ root }: Folders, path: string): void {
  writeFileSync(join(root, 'acks', path.replaceAll('/', '_')), '')
}

/** Agents wait no longer from now on. */
export function openGate({ root }: Folders): void {
  writeFileSync(join(root, 'open'), '')
}

/** The paths of the calls that were run so far, as often as each was. */
export function executedPaths({ root }: Folders): string[] {
  const file = join(root, 'executions')
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' ')[0] ?? '')
}

/** Runs in a process that is killed as `point` says. Resolves with the run's id once the process is gone. */
export async function runInVictim(folders: Folders, params: StartParams, point: KillPoint): Promise<RunId> {
  return asRunId(await startVictim(folders, { params, ...point }).then(({ gone }) => gone))
}

/** A host in these folders that is killed after so many milliseconds, or when it has started. Resolves once it is gone. */
export async function killWhileStarting(folders: Folders, afterMs: number): Promise<void> {
  const { child, gone } = await startVictim(folders, { results: 0, at: 'result', seed: 0 })
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs)
  await gone
  clearTimeout(timer)
}

export async function startVictim(
  folders: Folders,
  what: Omit<Victim, 'options' | 'root' | 'workspace'>,
): Promise<{ child: ChildProcess; gone: Promise<string> }> {
  const { logger: _logger, ...options } = hostOptions(folders, createLogKeeper().logger)
  const { root, workspace } = folders
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folders.home,
    XDG_RUNTIME_DIR: root,
    // All of them load the same programs.
    NODE_COMPILE_CACHE: join(tmpdir(), 'weft-test-bundles', 'compiled'),
  }
  const victim: Victim = { options: { ...options, workers: await bundledWorkers(), env }, root, workspace, ...what }
  const program = await bundleProgram('test/support/durability/victim-host.ts')
  const child = spawn(process.execPath, [program, JSON.stringify(victim)], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  let complaint = ''
  child.stdout.on('data', (chunk) => (said += String(chunk)))
  child.stderr.on('data', (chunk) => (complaint += String(chunk)))
  const gone = new Promise<string>((resolve, reject) => {
    child.once('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(said)
      else reject(new Error(`the victim was not killed but ended with ${String(signal ?? code)}: ${complaint}`))
    })
  })
  return { child, gone }
}

/** Resolves once nothing is left of what hosts in these folders started. */
export async function nothingRuns({ home }: Folders): Promise<void> {
  const mark = `HOME=${home}\0`
  await waitUntil('the end of every process', () => processesWith(mark).length === 0)
}

export interface Accounts {
  state: RunState
  /** Paths of calls that this run itself finished. */
  finished: string[]
  replayed: string[]
}

/** Reads a run that has ended and checks its books: each start has an end, its row is the sum of its journal. */
export async function readAccounts(session: HostSession, runId: RunId): Promise<Accounts> {
  const { events } = await session.call('run.events', { runId, fromSeq: 1, limit: 10_000 })
  const state = foldRunAll(EMPTY_RUN, events)
  const { row } = await session.call('run.get', { runId })
  const calls = await Promise.all(
    state.agents.map(({ agent }) => session.call('run.call', { runId, agent: asAgentNumber(agent) })),
  )
  const fail = (what: string): never => {
    throw new Error(`run ${runId} (${state.status}): ${what}`)
  }
  const { completed, failed, skipped, cancelled, replayed } = state.calls
  if (state.endedAt === undefined) fail('it has no end')
  if (completed + failed + skipped + cancelled + replayed !== state.agents.length) fail('starts and ends differ')
  if (calls.some(({ outcome }) => outcome === null)) fail('a call has no row in the journal')
  const paid = calls.filter(({ outcome }) => outcome !== 'replayed')
  const tokens = paid.reduce((sum, { usage }) => sum + (usage?.outputTokens ?? 0), 0)
  if (tokens !== row.outputTokens || tokens !== state.usage.outputTokens)
    fail(`the journal says ${tokens} tokens, the row ${row.outputTokens}, the events ${state.usage.outputTokens}`)
  const pathsOf = (wanted: string): string[] =>
    calls.filter(({ outcome }) => outcome === wanted).map(({ path }) => path)
  return { state, finished: pathsOf('completed'), replayed: pathsOf('replayed') }
}

/** Throws when the database is damaged or files are left that belong to nobody. To be called when its host has ended. */
export function checkFolder({ dataDir }: Folders): void {
  // Before SQLite is asked: a reading connection leaves its log behind.
  const known = new Set(['lock.db', 'weft.db', 'settings.json'])
  const left = readdirSync(dataDir).filter((name) => !known.has(name))
  if (left.length > 0) throw new Error(`files are left: ${left.join(', ')}`)
  const db = new Database(join(dataDir, 'weft.db'), { readonly: true })
  try {
    const problems = ['integrity_check', 'foreign_key_check'].flatMap((check) =>
      db.prepare(`PRAGMA ${check}`).raw().all(),
    )
    if (JSON.stringify(problems) !== '[["ok"]]') throw new Error(`the database is damaged: ${JSON.stringify(problems)}`)
  } finally {
    db.close()
  }
}

/** Runs `work` on all of them, a few at a time. */
export async function mapFew<Item, Out>(
  items: readonly Item[],
  few: number,
  work: (item: Item) => Promise<Out>,
): Promise<Out[]> {
  const results: Out[] = []
  const left = [...items.entries()]
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      // Each worker takes the next one when it has done its last.
      // oxlint-disable-next-line no-await-in-loop
      results[next[0]] = await work(next[1])
    }
  }
  await Promise.all(Array.from({ length: few }, worker))
  return results
}
