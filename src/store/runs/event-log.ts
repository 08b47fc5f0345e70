// The engine's EventSink: checks each event when it is appended, hands the events of a tick to the writer together, and
// tells the listeners after the commit.

import { RunFold, type RunEvent, type RunId } from '../../shared/index.ts'
import type { EventSink } from '../../engine/index.ts'
import { StoreError } from '../errors.ts'
import type { WriterClient } from '../writer/writer-client.ts'
import { LiveRun } from './live-run.ts'

export type StoredListener = (runId: RunId, events: readonly RunEvent[]) => void

export interface EventLogOptions {
  writer: WriterClient
  /** The fold of what is stored of a run; undefined when there is no such run. */
  loadFold(runId: RunId): RunFold | undefined
  /** A write of this run failed, for the first time. */
  onRefused(runId: RunId, error: StoreError): void
  onError(error: Error): void
}

export class EventLog implements EventSink {
  readonly #options: EventLogOptions
  readonly #runs = new Map<RunId, LiveRun>()
  readonly #touched = new Set<LiveRun>()
  readonly #listeners = new Set<StoredListener>()
  #stored = new Map<RunId, RunEvent[]>()

  constructor(options: EventLogOptions) {
    this.#options = options
  }

  /** Throws RunLogError for an event that may not follow, StoreError for a run that is unknown or refused. */
  append(runId: RunId, event: RunEvent): void {
    this.#options.writer.assertOpen()
    const run = this.open(runId)
    if (run.refusal !== undefined) throw run.refusal
    if (event.type === 'run-started' && event.runId !== runId)
      throw new StoreError('CONFLICT', `The run-started event of run ${event.runId} was appended to run ${runId}.`)
    const data = JSON.stringify(event)
    run.fold.push(event)
    this.#touched.add(run)
    run.batch ??= this.#beginBatch(run, event.seq)
    run.batch.events.push(event)
    run.batch.operation.types.push(event.type)
    run.batch.operation.data.push(data)
  }

  async flush(runId: RunId): Promise<void> {
    await this.#runs.get(runId)?.whenStored()
  }

  onStored(listener: StoredListener): () => void {
    // A function of its own for each subscription, so that the same listener may subscribe twice.
    const own: StoredListener = (runId, events) => listener(runId, events)
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  /** A run that has no events yet. */
  begin(runId: RunId): LiveRun {
    const run = new LiveRun(runId, new RunFold())
    this.#runs.set(runId, run)
    return run
  }

  /** The run as it is being written, taken up again from what is stored if need be. Throws StoreError UNKNOWN_RUN. */
  open(runId: RunId): LiveRun {
    const known = this.#runs.get(runId)
    if (known !== undefined) return known
    const fold = this.#options.loadFold(runId)
    if (fold === undefined)
      throw new StoreError('UNKNOWN_RUN', `There is no run ${runId} in the store; create it before its first event.`)
    const run = new LiveRun(runId, fold)
    if (fold.state.endedAt === undefined) this.#runs.set(runId, run)
    return run
  }

  isLive(runId: RunId): boolean {
    return this.#runs.has(runId)
  }

  /** Refused because an earlier write failed; undefined while all is well. */
  refusalOf(runId: RunId): StoreError | undefined {
    return this.#runs.get(runId)?.refusal
  }

  /** A write of this run failed: nothing later of it is stored. */
  refuse(runId: RunId, error: StoreError): void {
    const run = this.#runs.get(runId)
    if (run === undefined) this.#options.onError(error)
    else if (run.refuse(error)) this.#options.onRefused(runId, error)
  }

  forget(runId: RunId): void {
    this.#runs.delete(runId)
  }

  /** Adds to the writer's batch what sums up the runs in it. */
  addRows(): void {
    for (const run of this.#touched) {
      run.batch = undefined
      const change = run.takeRowChange()
      if (change !== undefined) this.#options.writer.submit(change, (error) => error && this.refuse(run.runId, error))
    }
    this.#touched.clear()
  }

  /** Tells the listeners what has been committed. */
  announce(): void {
    if (this.#stored.size === 0) return
    const stored = this.#stored
    this.#stored = new Map()
    for (const [runId, events] of stored) this.tell(runId, events)
  }

  /** Tells the listeners of a run: of events that are stored, or of none when something else about it has changed. */
  tell(runId: RunId, events: readonly RunEvent[]): void {
    for (const listener of this.#listeners) {
      try {
        listener(runId, events)
      } catch (error) {
        this.#options.onError(error instanceof Error ? error : new Error(String(error)))
      }
    }
  }

  #beginBatch(run: LiveRun, firstSeq: number): NonNullable<LiveRun['batch']> {
    const { runId } = run
    const events: RunEvent[] = []
    const operation = { kind: 'events' as const, runId, firstSeq, types: [], data: [] }
    this.#options.writer.submit(operation, (error) => {
      if (error !== undefined) return this.refuse(runId, error)
      const before = this.#stored.get(runId)
      if (before === undefined) this.#stored.set(runId, events)
      else before.push(...events)
      run.markStored(firstSeq + events.length - 1)
      if (events.at(-1)?.type === 'run-ended') this.forget(runId)
    })
    return { operation, events }
  }
}
