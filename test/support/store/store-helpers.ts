// What store tests share: a store in a folder of its own, runs with legal events, and small waits for conditions.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import {
  asAgentNumber,
  asCallKey,
  asCallPath,
  asRunId,
  asScriptHash,
  type JsonValue,
  type RunEvent,
  type RunEventPayloads,
  type RunEventType,
  type RunId,
} from '../../../src/shared/index.ts'
import type { CallOpening, JournalRow } from '../../../src/engine/index.ts'
import { openStore, type OpenStoreOptions, type Store } from '../../../src/store/index.ts'
import { agentQueued, runStarted } from '../shared/events.ts'

export const WRITER_WORKER = new URL('../../../src/store/writer-worker.ts', import.meta.url)

/** A folder that is gone after the test. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'weft-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export interface OpenedStore {
  store: Store
  file: string
  errors: Error[]
}

/** A store that is closed after the test; `errors` collects what it reports. */
export async function openTestStore(options: Partial<OpenStoreOptions> = {}): Promise<OpenedStore> {
  const errors: Error[] = []
  const file = options.file ?? join(makeFolder(), 'weft.db')
  const onError = (error: Error): void => void errors.push(error)
  const store = await openStore({ file, writerWorker: WRITER_WORKER, onError, ...options })
  onTestFinished(() => store.close())
  return { store, file, errors }
}

/** `run 1`, `run 2` … as ids. */
export function runIdOf(n: number): RunId {
  return asRunId(`01JTESTRUN${String(n).padStart(16, '0')}`)
}

export async function createRun(store: Store, runId: RunId, scriptText = 'return 1'): Promise<void> {
  const scriptHash = asScriptHash(Buffer.from(scriptText).toString('hex').padEnd(64, '0').slice(0, 64))
  await store.createRun({ runId, workflow: 'sample', scriptHash, scriptText, fileName: 'sample.js' })
}

type Queued = Partial<Pick<RunEventPayloads['agent-queued'], 'label' | 'phase' | 'backend'>>

/** Appends events with the right numbers. */
export class RunWriter {
  readonly store: Store
  readonly runId: RunId
  seq = 0
  agents = 0

  constructor(store: Store, runId: RunId) {
    this.store = store
    this.runId = runId
  }

  /** Creates the run in the store and appends its `run-started`. */
  static async start(
    store: Store,
    runId: RunId,
    started: Partial<RunEventPayloads['run-started']> = {},
  ): Promise<RunWriter> {
    await createRun(store, runId)
    const writer = new RunWriter(store, runId)
    writer.add('run-started', runStarted({ runId, lineage: runId, ...started }))
    return writer
  }

  add<Type extends RunEventType>(type: Type, payload: RunEventPayloads[Type]): RunEvent {
    const seq = this.seq + 1
    // The payload belongs to `type` by the signature; TypeScript can't carry that through the union.
    const event = { seq, at: 1000 + seq, type, ...payload } as unknown as RunEvent
    this.store.events.append(this.runId, event)
    this.seq = seq
    return event
  }

  /** Queues, opens and starts the next agent. */
  startAgent(prompt?: string, queued?: Queued): CallOpening {
    const opening = this.queueAgent(prompt, queued)
    this.add('agent-started', { agent: opening.agent, attempt: 1 })
    return opening
  }

  queueAgent(prompt = 'Do it', queued: Queued = {}): CallOpening {
    const agent = asAgentNumber(++this.agents)
    this.add('agent-queued', agentQueued(agent, queued))
    const path = asCallPath(`/agent:${agent - 1}`)
    const key = asCallKey('k'.repeat(64))
    const opening = { agent, path, key, prompt, options: {}, startedSeq: this.seq }
    this.store.journal.openCall(this.runId, opening)
    return opening
  }

  /** Ends an agent with a clean result, in its event and in the journal. */
  endAgent(opening: CallOpening, result: JsonValue, changes: Partial<JournalRow> = {}): Promise<void> {
    const { agent } = opening
    this.add('agent-ended', { agent, outcome: 'completed', durationMs: 5, attempts: 1, usage: { outputTokens: 10 } })
    return this.store.journal.closeCall(this.runId, { ...toRow(this.runId, opening, result), ...changes })
  }

  end(): void {
    this.add('run-ended', { outcome: 'completed', degraded: false, durationMs: 10 })
  }
}

export function toRow(runId: RunId, { agent, path, key, startedSeq }: CallOpening, result: JsonValue): JournalRow {
  const usage = { outputTokens: 10 }
  return { agent, path, key, outcome: 'completed', result, usage, durationMs: 5, startedSeq, origin: runId }
}

/** Looks again each few milliseconds until `condition` holds; the test's own time limit ends it otherwise. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}
