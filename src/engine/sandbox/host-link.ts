// The worker's end of the line to the host: gathers messages into one batch a turn, and keeps the calls that wait for an
// answer. A script is driven by host messages alone, so once a turn's jobs have run dry it stands still until the next one.

import type { JsonValue } from '../../shared/index.ts'
import type { HostBatch, HostMessages, WorkerBatch, WorkerMessage } from './protocol.ts'
import type { Scope } from './scope.ts'
import { makeScriptError } from './script-error.ts'
import { placeError, type Frame } from './stacks.ts'

export interface Answer {
  value?: JsonValue
  nested?: HostMessages['nested']
}

interface PendingCall {
  scope: Scope
  frames: readonly Frame[]
  resolve(answer: Answer): void
  reject(error: Error): void
}

export class HostLink {
  /** Output tokens of the run so far, as of the last host batch. */
  spent = 0
  #cancelReason: string | undefined
  #outbox: WorkerMessage[] = []
  #handled = 0
  #flushing = false
  #lastCall = 0
  readonly #pending = new Map<number, PendingCall>()
  readonly #send: (batch: WorkerBatch) => void
  readonly #defer: (work: () => void) => void

  /** `defer` runs its argument once the current turn's jobs have run dry. */
  constructor(send: (batch: WorkerBatch) => void, defer: (work: () => void) => void) {
    this.#send = send
    this.#defer = defer
  }

  post(message: WorkerMessage): void {
    this.#outbox.push(message)
    this.#flushLater()
  }

  /** Throws CANCELLED once the run is being cancelled: no hook works any more. */
  assertRunning(): void {
    if (this.#cancelReason !== undefined) throw cancelled(this.#cancelReason)
  }

  /** Posts a call and waits for the host's answer to it. */
  request(scope: Scope, frames: readonly Frame[], message: (call: number) => WorkerMessage): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const call = ++this.#lastCall
      this.#pending.set(call, { scope, frames, resolve, reject })
      this.post(message(call))
    })
  }

  /** Takes the answers of a batch; everything else in it is handed to `take`. */
  receive(batch: HostBatch, take: (message: HostBatch['messages'][number]) => void): void {
    this.spent = batch.spent
    for (const message of batch.messages) {
      if (message.type === 'answer') this.#settle(message.call, message.live)?.resolve({ value: message.value })
      else if (message.type === 'nested') this.#settle(message.call, false)?.resolve({ nested: message })
      else if (message.type === 'refusal') this.#refuse(message)
      else if (message.type === 'cancel') this.#cancel(message.reason)
      else take(message)
    }
    this.#handled = batch.seq
    this.#flushLater()
  }

  #refuse({ call, error, live }: HostMessages['refusal']): void {
    const pending = this.#settle(call, live)
    pending?.reject(placeError(makeScriptError(error.code, error.message, error.fatal), pending.frames))
  }

  #cancel(reason: string): void {
    this.#cancelReason = reason
    for (const [call, pending] of this.#pending) {
      this.#pending.delete(call)
      pending.reject(placeError(cancelled(reason), pending.frames))
    }
  }

  /** A live result reaches the script: what its scope does from now on may depend on it. */
  #settle(call: number, live: boolean): PendingCall | undefined {
    const pending = this.#pending.get(call)
    this.#pending.delete(call)
    if (pending !== undefined && live) pending.scope.diverged = true
    return pending
  }

  #flushLater(): void {
    if (this.#flushing) return
    this.#flushing = true
    this.#defer(() => {
      this.#flushing = false
      const messages = this.#outbox
      this.#outbox = []
      this.#send({ handled: this.#handled, messages })
    })
  }
}

function cancelled(reason: string): Error {
  return makeScriptError('CANCELLED', `the run is being cancelled: ${reason}`)
}
