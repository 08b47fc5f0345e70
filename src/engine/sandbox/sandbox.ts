// The host's handle on one sandbox worker: batches of messages both ways, whether the script is busy, and its end.

import { Worker } from 'node:worker_threads'
import type { HostMessage, WorkerBatch, WorkerMessage } from './protocol.ts'

/** How a worker ended that nobody asked to end. */
export type SandboxDeath = { kind: 'memory' } | { kind: 'failed'; message: string }

export interface SandboxListener {
  /** The messages of one turn. Unless the sandbox is busy, the script now stands still until it is sent something. */
  onMessages(messages: readonly WorkerMessage[]): void
  onDeath(death: SandboxDeath): void
}

/** Beyond the cap that the watchdog enforces; at this limit V8 may end the whole process instead of the worker. */
const HARD_HEADROOM_MIB = 2048
const YOUNG_GENERATION_MIB = 48
const STACK_MIB = 4

export class Sandbox {
  readonly worker: Worker
  readonly ready: Promise<void>
  /** Output tokens so far, told to the script with every batch. */
  spent = 0
  #listener: SandboxListener | undefined
  #sent = 0
  #handled = 0
  #outbox: HostMessage[] = []
  #flushing = false
  #ended = false
  readonly #onBusy: (sandbox: Sandbox) => void

  constructor(file: string | URL, memoryMiB: number, onBusy: (sandbox: Sandbox) => void) {
    this.#onBusy = onBusy
    this.worker = new Worker(file, {
      name: 'weft-script',
      // The environment is the user's, and nothing of it is a script's business.
      env: {},
      execArgv: [],
      // Nothing is written there; if something is, it goes nowhere.
      stdout: true,
      stderr: true,
      resourceLimits: {
        maxOldGenerationSizeMb: canPollMemory() ? memoryMiB + HARD_HEADROOM_MIB : memoryMiB,
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB,
        stackSizeMb: STACK_MIB,
      },
    })
    this.ready = new Promise((resolve, reject) => {
      this.worker.on('message', (batch: WorkerBatch) => {
        if (batch.messages.some((message) => message.type === 'ready')) resolve()
        else this.#receive(batch)
      })
      this.worker.on('error', (error) => {
        reject(error)
        this.#die(toDeath(error))
      })
      this.worker.on('exit', (code) => {
        const death = { kind: 'failed', message: `its worker thread ended with code ${code}` } as const
        reject(new Error(death.message))
        this.#die(death)
      })
    })
    // Whoever waits for `ready` hears of a failure; nobody has to.
    this.ready.catch(() => undefined)
  }

  /** True while the script may be running: not everything sent has had its consequences. */
  get busy(): boolean {
    return !this.#ended && (this.#handled < this.#sent || this.#outbox.length > 0)
  }

  /** Number of the last batch, for telling whether the script has answered in between. */
  get handled(): number {
    return this.#handled
  }

  listen(listener: SandboxListener): void {
    this.#listener = listener
  }

  send(message: HostMessage): void {
    if (this.#ended) return
    this.#outbox.push(message)
    if (this.#flushing) return
    this.#flushing = true
    this.#onBusy(this)
    // What becomes known in one turn goes in one batch.
    setImmediate(() => this.#flush())
  }

  /** Ends the thread; nothing is heard of it any more. A native call that can't be interrupted is left to itself. */
  end(): void {
    this.#ended = true
    this.#listener = undefined
    void this.worker.terminate()
    this.worker.unref()
  }

  #flush(): void {
    this.#flushing = false
    if (this.#ended) return
    const messages = this.#outbox
    this.#outbox = []
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
    this.worker.postMessage({ seq: ++this.#sent, spent: this.spent, messages })
  }

  #receive(batch: WorkerBatch): void {
    this.#handled = batch.handled
    this.#listener?.onMessages(batch.messages)
  }

  #die(death: SandboxDeath): void {
    if (this.#ended) return
    this.#ended = true
    this.#listener?.onDeath(death)
    this.#listener = undefined
  }
}

function toDeath(error: unknown): SandboxDeath {
  if (error instanceof Error) {
    const code: unknown = Reflect.get(error, 'code')
    return code === 'ERR_WORKER_OUT_OF_MEMORY' ? { kind: 'memory' } : { kind: 'failed', message: error.message }
  }
  return { kind: 'failed', message: String(error) }
}

/** Newer runtimes can read a worker's heap while it runs. */
export function canPollMemory(): boolean {
  return 'getHeapStatistics' in Worker.prototype
}
