// A queue of jobs for one kind of work, done by workers that are started when they are needed. A job that outlives its
// deadline takes its worker with it; the jobs behind it go on with another.

import { Worker } from 'node:worker_threads'
import type { Logger } from '../ports.ts'
import type { JobName, JobRequest, Jobs, WorkerMessage } from './protocol.ts'

export interface LaneOptions {
  file: string | URL
  timeoutMs: number
  maxWorkers: number
  /** Old space of each worker. */
  memoryMiB: number
  logger?: Logger | undefined
}

export type JobOutcome<Name extends JobName> =
  | { kind: 'done'; result: Jobs[Name]['result'] }
  | { kind: 'timeout' }
  /** The worker ended or could not be used; the reason in words. */
  | { kind: 'crashed'; reason: string }
  | { kind: 'disposed' }

interface QueuedJob {
  request: JobRequest
  settle(outcome: JobOutcome<JobName>): void
}

interface Slot {
  worker: Worker
  ready: boolean
  job: QueuedJob | undefined
  timer: NodeJS.Timeout | undefined
  /** Its job runs so long already that those behind it get a worker of their own. */
  slow: boolean
}

const YOUNG_SPACE_MIB = 8
const START_TIMEOUT_MS = 60_000
const SLOW_AFTER_MS = 200

export class WorkerLane {
  readonly #options: LaneOptions
  readonly #queue: QueuedJob[] = []
  readonly #slots = new Set<Slot>()
  #disposed = false

  constructor(options: LaneOptions) {
    this.#options = options
  }

  /** Never rejects. */
  run<Name extends JobName>(job: Name, params: Jobs[Name]['params']): Promise<JobOutcome<Name>> {
    return new Promise((resolve) => {
      // The worker answers a job with a result of its kind; a union of functions can't say so.
      const settle = resolve as (outcome: JobOutcome<JobName>) => void
      if (this.#disposed) {
        settle({ kind: 'disposed' })
        return
      }
      this.#queue.push({ request: { job, params } as JobRequest, settle })
      this.#pump()
    })
  }

  /** Starts the first worker ahead of its first job. Until then it keeps no process alive. */
  warmUp(): void {
    if (this.#disposed || this.#slots.size > 0) return
    const slot = this.#start()
    slot.worker.unref()
    slot.timer?.unref()
  }

  /** Ends the workers; what is queued or under way is answered with `disposed`. */
  async dispose(): Promise<void> {
    this.#disposed = true
    for (const job of this.#queue.splice(0)) job.settle({ kind: 'disposed' })
    await Promise.all([...this.#slots].map((slot) => this.#end(slot, { kind: 'disposed' })))
  }

  #pump(): void {
    while (this.#queue.length > 0) {
      const idle = [...this.#slots].find((slot) => slot.job === undefined)
      const slot = idle ?? (this.#mayStart() ? this.#start() : undefined)
      const job = slot && this.#queue.shift()
      if (slot === undefined || job === undefined) return
      slot.job = job
      slot.slow = false
      slot.worker.ref()
      if (slot.ready) this.#begin(slot)
    }
  }

  #mayStart(): boolean {
    return this.#slots.size < this.#options.maxWorkers && [...this.#slots].every((slot) => slot.slow)
  }

  #start(): Slot {
    const worker = new Worker(this.#options.file, {
      // Nothing of the host's is any of the checker's business.
      env: {},
      execArgv: [],
      // At its limit a worker gets 16 MiB to end in. What survives the young generation has to fit in there, or V8 gives
      // up on the whole process.
      resourceLimits: { maxOldGenerationSizeMb: this.#options.memoryMiB, maxYoungGenerationSizeMb: YOUNG_SPACE_MIB },
    })
    const slot: Slot = { worker, ready: false, job: undefined, timer: undefined, slow: false }
    this.#slots.add(slot)
    worker.on('message', (message: WorkerMessage) => this.#receive(slot, message))
    worker.on('error', (error) => this.#lose(slot, describeLoss(error)))
    worker.on('exit', () => this.#lose(slot, 'the checker’s worker ended'))
    slot.timer = setTimeout(() => this.#lose(slot, 'the checker’s worker did not start'), START_TIMEOUT_MS)
    return slot
  }

  #begin(slot: Slot): void {
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      slot.worker.postMessage(slot.job?.request)
    } catch (error) {
      // Values that can't be copied to another thread, such as functions.
      this.#answer(slot, { kind: 'crashed', reason: error instanceof Error ? error.message : String(error) })
      return
    }
    slot.timer = setTimeout(
      () => {
        slot.slow = true
        slot.timer = setTimeout(
          () => void this.#end(slot, { kind: 'timeout' }),
          Math.max(0, this.#options.timeoutMs - SLOW_AFTER_MS),
        )
        this.#pump()
      },
      Math.min(SLOW_AFTER_MS, this.#options.timeoutMs),
    )
  }

  #receive(slot: Slot, message: WorkerMessage): void {
    clearTimeout(slot.timer)
    if (message.type === 'ready') {
      slot.ready = true
      if (slot.job) this.#begin(slot)
    } else if (message.type === 'done') {
      this.#answer(slot, { kind: 'done', result: message.result })
    } else {
      this.#options.logger?.error('a checker job failed', { error: message.error })
      this.#answer(slot, { kind: 'crashed', reason: message.error.split('\n')[0] ?? 'unknown error' })
    }
  }

  #answer(slot: Slot, outcome: JobOutcome<JobName>): void {
    const { job } = slot
    slot.job = undefined
    slot.slow = false
    // An idle worker keeps no process alive.
    slot.worker.unref()
    job?.settle(outcome)
    this.#pump()
  }

  #lose(slot: Slot, reason: string): void {
    if (!this.#slots.has(slot)) return
    this.#options.logger?.warn('lost a checker worker', { reason })
    void this.#end(slot, { kind: 'crashed', reason })
  }

  async #end(slot: Slot, outcome: JobOutcome<JobName>): Promise<void> {
    this.#slots.delete(slot)
    clearTimeout(slot.timer)
    const { job } = slot
    slot.job = undefined
    job?.settle(outcome)
    this.#pump()
    await slot.worker.terminate()
  }
}

function describeLoss(error: unknown): string {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return 'it ran out of memory'
  return error instanceof Error ? error.message : String(error)
}
