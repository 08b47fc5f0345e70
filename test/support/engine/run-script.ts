// Runs a script through the real engine, with everything outside of it in memory, and hands back all that came of it.
// Every event is checked as it is written; at the end the census is: each call has one end and nothing was left running.

import { expect } from 'vitest'
import {
  asRunId,
  type JsonValue,
  type RunEvent,
  type RunEventOf,
  type RunEventType,
  type RunId,
  type RunState,
} from '../../../src/shared/index.ts'
import {
  createEngine,
  systemClock,
  WorkflowError,
  type AgentBackend,
  type Clock,
  type Engine,
  type EngineOptions,
  type HostHandle,
  type JournalRow,
  type PermissionGate,
  type RunHandle,
  type RunSettlement,
  type ScriptText,
  type StartRunOptions,
} from '../../../src/engine/index.ts'
import { MemoryStore } from './memory-store.ts'
import { quietLogger } from './quiet-logger.ts'
import { createBackend, type Behaviour, type ScriptedBackend } from './scripted-backend.ts'
import { bundleWorker } from './worker-files.ts'

/** What every run of a test is started with. Nobody but a runner may look into it, so whoever does is told. */
export const HOST = new Proxy(Object.freeze({}), {
  get: (_target, name) => {
    throw new Error(`somebody looked into the host handle for ${String(name)}`)
  },
  // The symbol is only a mark of the type; no such value exists.
}) as HostHandle

let runs = 0

function nextRunId(): RunId {
  return asRunId(`RUN${String(++runs).padStart(23, '0')}`)
}

/** An engine for tests. Dispose it in `afterAll`. */
export async function createTestEngine(options: Partial<EngineOptions> = {}): Promise<Engine> {
  const [sandbox, checker] = await Promise.all([
    bundleWorker('engine/sandbox/worker.ts'),
    bundleWorker('engine/check/worker.ts'),
  ])
  return createEngine({
    workers: { sandbox, checker },
    logger: quietLogger,
    ids: { runId: nextRunId },
    ...options,
  })
}

export interface RunScriptOptions extends Partial<
  Omit<StartRunOptions, 'script' | 'ports' | 'host' | 'startedBy' | 'backend'>
> {
  /** What the agents do; by default each answers with its prompt. */
  agents?: Behaviour | ScriptedBackend
  /** Further back ends, by id. */
  otherBackends?: readonly AgentBackend[]
  /** Workflows that `workflow()` finds, by name: their whole text. */
  workflows?: Readonly<Record<string, string>>
  store?: MemoryStore
  clock?: Clock
  permissions?: PermissionGate
  fileName?: string
  path?: string | null
  /** Called as soon as the run has been started. */
  onStart?(run: StartedRun): void
  /** Called for every event as it is written. */
  onEvent?(event: RunEvent, run: StartedRun): void
}

export interface StartedRun {
  handle: RunHandle
  backend: ScriptedBackend
  store: MemoryStore
}

export interface FinishedRun {
  runId: RunId
  settlement: RunSettlement
  result: JsonValue
  events: readonly RunEvent[]
  state: RunState
  rows: readonly JournalRow[]
  backend: ScriptedBackend
  store: MemoryStore
  /** Events of one type. */
  of<Type extends RunEventType>(type: Type): RunEventOf<Type>[]
  /** Messages of the run's warnings. */
  warnings: string[]
}

const META = `export const meta = { name: 'test', description: 'A test.' }\n`

/** The script's text: a body without meta gets one in front, on a line of its own (so the body begins on line 2). */
export function withMeta(text: string): string {
  return text.includes('export const meta') ? text : META + text
}

export async function startScript(engine: Engine, text: string, options: RunScriptOptions = {}): Promise<StartedRun> {
  const { agents, otherBackends = [], workflows = {}, clock, permissions, fileName = 'test.js', path = null } = options
  const { onStart, onEvent, store = new MemoryStore(), ...rest } = options
  const backend = typeof agents === 'object' ? agents : createBackend(agents)
  const script = await engine.prepare({ text: withMeta(text), fileName, path })
  const backends = [backend, ...otherBackends]
  const id = rest.runId ?? nextRunId()
  let started: StartedRun | undefined
  // `run-started` is written before `start` has returned, and told once there is a handle.
  const early: RunEvent[] = []
  const unlisten = store.onEvent((runId, event) => {
    if (runId !== id) return
    if (started === undefined) early.push(event)
    else onEvent?.(event, started)
  })
  const handle = engine.start({
    workspace: '/workspace',
    simulated: false,
    dry: false,
    maxConcurrentAgents: 16,
    ...rest,
    runId: id,
    script,
    host: HOST,
    startedBy: { kind: 'test' },
    backend: backend.id,
    ports: {
      backends: {
        resolve: (provider) => (provider === undefined ? backend : backends.find((known) => known.id === provider)),
        ids: () => backends.map((known) => known.id),
      },
      events: store.events,
      journal: store.journal,
      permissions: permissions ?? { ask: () => Promise.resolve({ answer: 'reject', by: 'policy' }) },
      workflows: { resolve: (reference) => Promise.resolve().then(() => findWorkflow(workflows, reference)) },
      clock: clock ?? systemClock,
    },
  })
  started = { handle, backend, store }
  void handle.settled.then(unlisten)
  onStart?.(started)
  for (const event of early) onEvent?.(event, started)
  return started
}

function findWorkflow(
  workflows: Readonly<Record<string, string>>,
  reference: string | { scriptPath: string },
): ScriptText {
  const name = typeof reference === 'string' ? reference : reference.scriptPath
  const text = workflows[name]
  if (text !== undefined) return { text, fileName: `${name}.js`, path: `/workflows/${name}.js` }
  const known = Object.keys(workflows).join(', ') || 'none'
  throw new WorkflowError('UNKNOWN_WORKFLOW', `no workflow is called "${name}"; known: ${known}`)
}

/** Waits for the end and checks what has to hold of every run. */
export async function finishRun({ handle, backend, store }: StartedRun): Promise<FinishedRun> {
  const settlement = await handle.settled
  const { events, state, rows, openings, result } = store.record(handle.id)
  expect(events.at(-1)?.type).toBe('run-ended')
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  expect(state.running + state.queued).toBe(0)
  expect(state.agents.filter(({ endedAt }) => endedAt === undefined)).toEqual([])
  expect(rows.map(({ agent }) => agent).sort((a, b) => a - b)).toEqual(
    openings.map(({ agent }) => agent).sort((a, b) => a - b),
  )
  expect(state.status).toBe(settlement.outcome)
  expect(state.degraded).toBe(settlement.degraded)
  expect(result ?? null).toEqual(settlement.result)
  return {
    runId: handle.id,
    settlement,
    result: settlement.result,
    events,
    state,
    rows,
    backend,
    store,
    // `type` decides which events are left.
    of: <Type extends RunEventType>(type: Type) => events.filter((event) => event.type === type) as RunEventOf<Type>[],
    warnings: state.warnings.map(({ message }) => message),
  }
}

export async function runScript(engine: Engine, text: string, options: RunScriptOptions = {}): Promise<FinishedRun> {
  return finishRun(await startScript(engine, text, options))
}
