// The SDK's transport over a wire that hands out whole lines. It stands before the SDK: what is no JSON-RPC, an id that is in
// use and what piles up are dealt with here; a request that was cancelled is never answered.

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import type { ToolConnection, ToolWire } from '../../shared/index.ts'
import { errorFrame, INVALID_REQUEST, readFrame, SERVER_ERROR, toLine, type Frame, type RpcId } from '../rpc/frames.ts'

/** With more than this unsent and still asking, a client is cut off. */
const MAX_UNSENT_BYTES = 64 * 1024 * 1024
const MAX_OPEN_CALLS = 256

export class LineTransport implements Transport, ToolConnection {
  onmessage: ((message: JSONRPCMessage) => void) | undefined
  onclose: (() => void) | undefined
  onerror: ((error: Error) => void) | undefined
  readonly #wire: ToolWire
  readonly #onEnd: () => void
  /** Requests that are not answered yet; true for those that run a tool. */
  readonly #open = new Map<RpcId, boolean>()
  #openCalls = 0
  #ended = false

  /** `onEnd` is told first that the wire has closed. */
  constructor(wire: ToolWire, onEnd: () => void) {
    this.#wire = wire
    this.#onEnd = onEnd
  }

  async start(): Promise<void> {}

  receive(text: string): void {
    if (this.#ended) return
    if (this.#wire.unsentBytes() > MAX_UNSENT_BYTES) {
      this.#wire.close('the client does not read its answers')
      return
    }
    const frame = readFrame(text)
    if (frame.kind === 'bad') this.#write(errorFrame(frame.id, frame.code, frame.reason))
    else if (frame.kind === 'request') this.#request(frame)
    else if (frame.kind === 'notification') this.#notification(frame)
    // The server asks its clients for nothing, so it waits for no answer either.
  }

  refuse(message: string): void {
    if (!this.#ended) this.#write(errorFrame(null, INVALID_REQUEST, `Invalid request: ${message}`))
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#onEnd()
    this.onclose?.()
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#ended) return
    if (!('method' in message)) {
      const { id } = message
      if (id !== undefined && !this.#settle(id)) return
    }
    this.#write(toLine(message))
  }

  async close(): Promise<void> {
    if (!this.#ended) this.#wire.close('the tool server has ended the connection')
    this.end()
  }

  #request({ id, method, message }: Extract<Frame, { kind: 'request' }>): void {
    if (this.#open.has(id)) {
      this.#write(errorFrame(id, INVALID_REQUEST, `Invalid request: the id ${JSON.stringify(id)} is in use`))
      return
    }
    const isCall = method === 'tools/call'
    if (isCall && this.#openCalls >= MAX_OPEN_CALLS) {
      this.#write(errorFrame(id, SERVER_ERROR, `More than ${MAX_OPEN_CALLS} calls are open: wait for some of them`))
      return
    }
    // A subscription stays open as long as it lasts, and is answered by the SDK's entry, not by a handler.
    this.#open.set(id, isCall)
    if (isCall) this.#openCalls++
    this.#deliver(message)
  }

  #notification({ method, message }: Extract<Frame, { kind: 'notification' }>): void {
    if (method === 'notifications/cancelled') {
      const params = message['params']
      const id =
        typeof params === 'object' && params !== null && 'requestId' in params ? params['requestId'] : undefined
      // Some clients cancel what was answered long ago.
      if (typeof id !== 'string' && typeof id !== 'number') return
      if (!this.#settle(id)) return
    }
    this.#deliver(message)
  }

  #deliver(message: object): void {
    // readFrame has made sure of what JSON-RPC asks for; the SDK checks the rest by the method's own schema.
    this.onmessage?.(message as JSONRPCMessage)
  }

  /** False when nobody waits for that answer any more. */
  #settle(id: RpcId): boolean {
    const isCall = this.#open.get(id)
    if (isCall === undefined) return false
    this.#open.delete(id)
    if (isCall) this.#openCalls--
    return true
  }

  #write(line: string): void {
    this.#wire.send(line)
  }
}
