// The host's end of the writer thread: numbers operations, sends those of one tick together, and settles each when the
// writer says that it is committed or refused.

import { Worker } from 'node:worker_threads'
import { closedError, fromWireError, StoreError } from '../errors.ts'
import { packOperation } from './pack.ts'
import type { FromWriter, NumberedOperation, ToWriter, WriteOperation, WriterData } from './protocol.ts'

/** Told once, after the commit or the refusal. */
export type Settle = (error: StoreError | undefined, value: unknown) => void

export interface WriterEvents {
  /** Before a batch is sent: the place to add what sums it up. */
  beforeSend(): void
  /** After a commit, when everything in it has been settled. */
  afterStored(): void
  /** A failure that no operation waits for. */
  onFault(error: StoreError): void
}

/** A tick with more operations than this hands them over while it goes on: the writer need not wait for its end. */
const EARLY_OPERATIONS = 200

export class WriterClient {
  readonly #worker: Worker
  readonly #events: WriterEvents
  readonly #waiting: { id: number; settle: Settle | undefined }[] = []
  readonly #ended: Promise<void>
  #batch: NumberedOperation[] = []
  #nextId = 1
  #sending: NodeJS.Immediate | undefined
  #refusing = false
  #closing = false
  #closedByWriter = false
  #lost: StoreError | undefined

  private constructor(worker: Worker, events: WriterEvents) {
    this.#worker = worker
    this.#events = events
    worker.on('message', (message: FromWriter) => this.#receive(message))
    worker.on('error', (error) => this.#lose(error))
    this.#ended = new Promise((resolve) => {
      worker.on('exit', () => {
        if (!this.#closedByWriter) this.#lose(undefined)
        resolve()
      })
    })
    worker.unref()
  }

  /** Starts the thread and waits until it has opened, created or migrated the database. Rejects with StoreError. */
  static async start(workerFile: string | URL, data: WriterData, events: WriterEvents): Promise<WriterClient> {
    const worker = new Worker(workerFile, { workerData: data })
    await opened(worker)
    return new WriterClient(worker, events)
  }

  /** Queues an operation for the batch of this tick, or the first part of a long one. When the writer is lost or ended, it is settled with that error at once. */
  submit(operation: WriteOperation, settle?: Settle): void {
    const refusal = this.#lost ?? (this.#closing ? closedError() : undefined)
    if (refusal !== undefined) return settle?.(refusal, undefined)
    const id = this.#nextId++
    this.#batch.push({ id, operation })
    this.#waiting.push({ id, settle })
    this.#sending ??= setImmediate(() => this.#send())
    // Not at once: what belongs together, such as a call's row and its event, is submitted without a pause in between.
    if (this.#batch.length === EARLY_OPERATIONS) queueMicrotask(() => this.#send())
  }

  /** Queues an operation; resolves with its value once it is committed. */
  async request(operation: WriteOperation): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.submit(operation, (error, value) => (error === undefined ? resolve(value) : reject(error)))
    })
  }

  /** Resolves once everything queued before is committed or refused. */
  drain(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.length === 0) resolve()
      else this.#waiting.push({ id: this.#nextId - 1, settle: () => resolve() })
    })
  }

  /** From now on `assertOpen` throws; what is queued is still written. */
  refuseMore(): void {
    this.#refusing = true
  }

  /** To be asked before anything new is begun. Throws StoreError CLOSED. */
  assertOpen(): void {
    if (this.#refusing) throw closedError()
  }

  /** Writes out what is queued, calls `beforeEnd`, ends the thread and waits for that. */
  async close(beforeEnd: () => void = () => undefined): Promise<void> {
    this.refuseMore()
    await this.drain()
    beforeEnd()
    this.#closing = true
    this.#worker.ref()
    if (this.#lost === undefined) this.#post({ type: 'close' })
    await this.#ended
  }

  #send(): void {
    clearImmediate(this.#sending)
    this.#sending = undefined
    if (this.#batch.length === 0 || this.#lost !== undefined) return
    this.#events.beforeSend()
    const operations = this.#batch
    this.#batch = []
    // Adding to the batch just now has planned another sending; there is nothing left for it.
    clearImmediate(this.#sending)
    this.#sending = undefined
    this.#worker.ref()
    this.#post({ type: 'write', operations: operations.map(packOperation) })
  }

  #post(message: ToWriter): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window: there is no origin
    this.#worker.postMessage(message)
  }

  #receive(message: FromWriter): void {
    switch (message.type) {
      case 'stored': {
        const failures = new Map(message.failures)
        const values = new Map(message.values)
        this.#settleUpTo(message.upTo, (id) => {
          const failure = failures.get(id)
          return [failure && fromWireError(failure), values.get(id)]
        })
        // Nothing waits: the thread alone does not keep the process.
        if (this.#waiting.length === 0 && !this.#closing) this.#worker.unref()
        return
      }
      case 'fault':
        return this.#events.onFault(fromWireError(message.error))
      case 'closed':
        this.#closedByWriter = true
        return
      case 'ready':
      case 'not-opened':
    }
  }

  #settleUpTo(upTo: number, outcome: (id: number) => [StoreError | undefined, unknown]): void {
    const count = this.#waiting.findIndex(({ id }) => id > upTo)
    for (const { id, settle } of this.#waiting.splice(0, count === -1 ? this.#waiting.length : count)) {
      settle?.(...outcome(id))
    }
    this.#events.afterStored()
  }

  #lose(cause: unknown): void {
    if (this.#lost !== undefined) return
    const detail = cause instanceof Error ? `: ${cause.message}` : ''
    this.#lost = new StoreError('WRITER_LOST', `The store's writer thread ended by itself${detail}. Start again.`, {
      cause,
    })
    this.#batch = []
    this.#settleUpTo(Number.POSITIVE_INFINITY, () => [this.#lost, undefined])
    this.#events.onFault(this.#lost)
  }
}

/** Waits for the thread's first word. */
function opened(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: FromWriter): void => {
      finish()
      if (message.type === 'ready') resolve()
      else if (message.type === 'not-opened')
        // The thread is ending; whoever opened the store should find nothing of it left.
        void worker.terminate().then(() => reject(fromWireError(message.error)))
    }
    const onError = (error: Error): void => {
      finish()
      reject(
        new StoreError('WRITER_LOST', `The store's writer thread could not start: ${error.message}`, { cause: error }),
      )
    }
    const onExit = (): void => onError(new Error('it ended at once'))
    const finish = (): void => {
      worker.off('message', onMessage)
      worker.off('error', onError)
      worker.off('exit', onExit)
    }
    worker.on('message', onMessage)
    worker.on('error', onError)
    worker.on('exit', onExit)
  })
}
