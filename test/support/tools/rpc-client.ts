// The smallest possible MCP client: JSON-RPC lines over any pair of streams, nothing of the SDK.

import type { Readable, Writable } from 'node:stream'

export interface RpcMessage {
  jsonrpc: '2.0'
  id?: string | number | null
  method?: string
  params?: { [key: string]: unknown }
  result?: { [key: string]: unknown }
  error?: { code: number; message: string; data?: unknown }
}

export class RpcClient {
  readonly received: RpcMessage[] = []
  readonly closed: Promise<void>
  readonly #input: Writable
  readonly #waiting = new Set<() => void>()
  readonly #listeners = new Set<(message: RpcMessage) => void>()
  #nextId = 1
  #ended = false

  constructor(output: Readable, input: Writable) {
    this.#input = input
    let rest = ''
    output.setEncoding('utf8')
    output.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines.filter((each) => each !== '')) {
        const message = JSON.parse(line) as RpcMessage // every line is one, or the test fails
        this.received.push(message)
        for (const listener of this.#listeners) listener(message)
      }
      this.#wake()
    })
    output.on('error', () => undefined)
    input.on('error', () => undefined)
    this.closed = new Promise((resolve) => {
      output.once('close', () => {
        this.#ended = true
        this.#wake()
        resolve()
      })
    })
  }

  /** Tells every message from now on; returns its end. */
  onMessage(listener: (message: RpcMessage) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  write(text: string | Buffer): void {
    this.#input.write(text)
  }

  send(message: object): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  notify(method: string, params: object = {}): void {
    this.send({ method, params })
  }

  /** Sends a request and answers its id. */
  ask(method: string, params: object = {}, id: string | number = this.#nextId++): string | number {
    this.send({ id, method, params })
    return id
  }

  /** Resolves with the answer, whether result or error. */
  answer(id: string | number): Promise<RpcMessage> {
    return this.find((message) => message.id === id && message.method === undefined)
  }

  async request(method: string, params: object = {}): Promise<{ [key: string]: unknown }> {
    const { result, error } = await this.answer(this.ask(method, params))
    if (error !== undefined) throw new Error(`${error.code}: ${error.message}`)
    return result ?? {}
  }

  /** The first message that fits, received already or yet to come. */
  async find(fits: (message: RpcMessage) => boolean): Promise<RpcMessage> {
    for (;;) {
      const found = this.received.find(fits)
      if (found !== undefined) return found
      if (this.#ended) throw new Error('the connection has ended')
      await new Promise<void>((resolve) => this.#waiting.add(resolve))
    }
  }

  async initialize(name = 'minimal', protocolVersion = '2025-06-18'): Promise<{ [key: string]: unknown }> {
    const clientInfo = { name, version: '1' }
    const result = await this.request('initialize', { protocolVersion, capabilities: {}, clientInfo })
    this.notify('notifications/initialized')
    return result
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }
}
