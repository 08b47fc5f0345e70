// The main thread's side of the answer worker: one worker for all simulated runs, started when first needed, ended and
// replaced when a task takes too long or more memory than it may.

import { Worker } from 'node:worker_threads'
import { AgentsError } from '../../errors.ts'
import type { JsonObject, JsonValue } from '../../../shared/index.ts'
import type { WorkerReply, WorkerRequest, WorkerTask } from './answer-messages.ts'

export interface AnswerGenerator {
  /** The `candidate`-th answer for a schema, the same for the same arguments. Rejects with AgentsError `TASK_FAILED` or `WORKER_*`. */
  answer(schema: JsonObject | boolean, seed: number, candidate: number): Promise<JsonValue>
  /** Whether each pattern (in Unicode mode) matches its text. Rejects with AgentsError `TASK_FAILED` or `WORKER_*`. */
  match(tests: { pattern: string; text: string }[]): Promise<boolean[]>
  dispose(): Promise<void>
}

export interface AnswerGeneratorOptions {
  /** The file `answer-worker.ts`, or its bundle. */
  worker: string | URL
  /** For one task. Default 5000 ms. */
  timeoutMs?: number
  /** Old space of the worker. Default 256 MiB. */
  memoryMiB?: number
}

interface Pending {
  task: WorkerTask
  resolve(value: JsonValue): void
  reject(error: Error): void
}

export function createAnswerGenerator(options: AnswerGeneratorOptions): AnswerGenerator {
  const pool = new AnswerWorker(options)
  return {
    answer: (schema, seed, candidate) => pool.run({ op: 'answer', schema, seed, candidate }),
    async match(tests) {
      const matched = await pool.run({ op: 'match', tests })
      return Array.isArray(matched) ? matched.map((value) => value === true) : []
    },
    dispose: () => pool.dispose(),
  }
}

class AnswerWorker {
  readonly #options: AnswerGeneratorOptions
  /** In the order in which the worker takes them: the first is the one it is at. */
  readonly #pending = new Map<number, Pending>()
  #worker: Worker | undefined
  #watch: NodeJS.Timeout | undefined
  #lastId = 0

  constructor(options: AnswerGeneratorOptions) {
    this.#options = options
  }

  run(task: WorkerTask): Promise<JsonValue> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId
      this.#pending.set(id, { task, resolve, reject })
      this.#worker ??= this.#start()
      this.#worker.ref()
      send(this.#worker, id, task)
      if (this.#pending.size === 1) this.#watchFirst()
    })
  }

  async dispose(): Promise<void> {
    clearTimeout(this.#watch)
    const worker = this.#worker
    this.#worker = undefined
    for (const { reject } of this.#pending.values())
      reject(new AgentsError('WORKER_FAILED', 'The simulation was ended.'))
    this.#pending.clear()
    await worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(this.#options.worker, {
      resourceLimits: { maxOldGenerationSizeMb: this.#options.memoryMiB ?? 256 },
    })
    worker.on('message', (reply: WorkerReply) => {
      if (worker === this.#worker) this.#settle(reply)
    })
    worker.on('error', (error) => {
      if (worker === this.#worker)
        this.#replace(new AgentsError('WORKER_FAILED', `The task ended its worker: ${error.message}`))
    })
    return worker
  }

  #settle(reply: WorkerReply): void {
    const pending = this.#pending.get(reply.id)
    if (pending === undefined) return
    this.#pending.delete(reply.id)
    if (reply.ok) pending.resolve(reply.value)
    else pending.reject(new AgentsError('TASK_FAILED', reply.error))
    this.#watchFirst()
  }

  // The clock runs for the task that the worker is at, from the moment it took it.
  #watchFirst(): void {
    clearTimeout(this.#watch)
    if (this.#pending.size === 0) {
      // A worker with nothing to do keeps nobody from exiting.
      this.#worker?.unref()
      return
    }
    const [first] = this.#pending.keys()
    const ms = this.#options.timeoutMs ?? 5_000
    this.#watch = setTimeout(() => {
      // If this thread itself was blocked, the reply is already here: it is taken before the worker is judged.
      setImmediate(() => {
        if (this.#pending.keys().next().value !== first) return
        this.#replace(new AgentsError('WORKER_TIMEOUT', `The task took longer than ${ms} ms.`))
      })
    }, ms)
  }

  // The first task is to blame; the others are given to a new worker.
  #replace(error: AgentsError): void {
    void this.#worker?.terminate()
    this.#worker = undefined
    const [first] = this.#pending
    if (first === undefined) return
    this.#pending.delete(first[0])
    first[1].reject(error)
    if (this.#pending.size > 0) {
      this.#worker = this.#start()
      for (const [id, { task }] of this.#pending) send(this.#worker, id, task)
    }
    this.#watchFirst()
  }
}

function send(worker: Worker, id: number, task: WorkerTask): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread's port has no origin
  worker.postMessage({ id, ...task } satisfies WorkerRequest)
}
