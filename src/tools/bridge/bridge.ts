// Between a harness's pipes and the host's socket: relays lines, answers at once what needs no host, and tells the harness in
// the protocol's words when the host is gone. Nothing but protocol goes to the output.

import type { Duplex, Readable, Writable } from 'node:stream'
import { isJsonObject } from '../../shared/index.ts'
import { errorFrame, readFrame, SERVER_ERROR, toLine, type Frame, type RpcId } from '../rpc/frames.ts'
import { HostLine, type HostLineOptions } from './host-line.ts'
import { answerFromManifest, envelopeVersion, type Manifest } from './static-answers.ts'

/** How long answers are still waited for after the harness has closed its end. */
const GOODBYE_MS = 1000
/** Ids of the bridge's own requests, which no client has. */
const OWN_ID = 'weft-bridge:'
/** A line that is lost at once is one that the host refuses: it is not dialled in a loop. */
const REFUSED_MS = 1000
const MAX_WAITING_BYTES = 64 * 1024 * 1024

export interface LineReader {
  push(chunk: Buffer): void
}

export interface BridgeOptions extends HostLineOptions {
  input: Readable
  output: Writable
  manifest: Manifest
  /** Lines out of a byte stream, with the limits of the end that they come from. */
  readLines(
    from: 'client' | 'host',
    handlers: { onLine(text: string): void; onTooLong(): void; onFlood(): void },
  ): LineReader
}

type Request = Extract<Frame, { kind: 'request' }>

/** Resolves once the harness has closed its end and what it still waits for was answered, or after a second. */
export function runBridge(options: BridgeOptions): Promise<void> {
  return new Promise((resolve) => new Bridge(options, resolve).start())
}

class Bridge {
  readonly #options: BridgeOptions
  readonly #line: HostLine
  readonly #done: () => void
  /** Requests that the host has or will get, and has not answered. */
  readonly #pending = new Set<RpcId>()
  /** Lines for a host that is not there yet. */
  #waiting: { text: string; id?: RpcId }[] = []
  #waitingBytes = 0
  #socket: Duplex | undefined
  /** The client's own, sent again to each host. */
  #handshake: Request | undefined
  readonly #subscribed = new Map<string, Request>()
  #ownId = 0
  #openedAt = 0
  #ending = false

  constructor(options: BridgeOptions, done: () => void) {
    this.#options = options
    this.#done = done
    this.#line = new HostLine(options)
  }

  start(): void {
    const { input, output, readLines } = this.#options
    const lines = readLines('client', {
      onLine: (text) => this.#fromClient(text),
      onTooLong: () => this.#write(errorFrame(null, -32600, 'Invalid request: the frame is too long')),
      onFlood: () => this.#end('a frame of the client has no end'),
    })
    input.on('data', (chunk: Buffer) => lines.push(chunk))
    input.once('end', () => this.#goodbye())
    input.once('close', () => this.#goodbye())
    input.on('error', () => this.#goodbye())
    // A harness that went away takes no more answers.
    output.on('error', () => this.#end('the client has gone'))
    void this.#connect()
  }

  #fromClient(text: string): void {
    const frame = readFrame(text)
    if (frame.kind === 'bad') return this.#write(errorFrame(frame.id, frame.code, frame.reason))
    if (frame.kind === 'request') return this.#request(frame, text)
    if (frame.kind === 'notification' && frame.method === 'notifications/cancelled') return this.#cancel(frame, text)
    // The handshake is repeated for each host, with the notification that ends it.
    if (frame.kind === 'notification' && frame.method === 'notifications/initialized') return
    this.#forward(text)
  }

  #request(frame: Request, text: string): void {
    const { id, method, message } = frame
    if (this.#pending.has(id))
      return this.#write(errorFrame(id, -32600, `Invalid request: the id ${JSON.stringify(id)} is in use`))
    const params = message['params']
    const result = answerFromManifest(method, params, this.#options.manifest)
    if (method === 'initialize' && envelopeVersion(params) === undefined) {
      this.#handshake = frame
      if (this.#socket !== undefined) this.#shakeHands(this.#socket)
    }
    if (result !== undefined) return this.#write(toLine({ jsonrpc: '2.0', id, result }))
    const uri = isJsonObject(params) ? params['uri'] : undefined
    if (method === 'resources/subscribe' && typeof uri === 'string') this.#subscribed.set(uri, frame)
    if (method === 'resources/unsubscribe' && typeof uri === 'string') this.#subscribed.delete(uri)
    this.#pending.add(id)
    this.#forward(text, id)
  }

  #cancel({ message }: Extract<Frame, { kind: 'notification' }>, text: string): void {
    const params = message['params']
    const id = isJsonObject(params) ? params['requestId'] : undefined
    // A late cancel of something that was answered is none of the host's business.
    if ((typeof id !== 'string' && typeof id !== 'number') || !this.#pending.delete(id)) return
    const before = this.#waiting.length
    this.#waiting = this.#waiting.filter((line) => line.id !== id)
    if (this.#waiting.length === before) this.#forward(text)
  }

  #forward(text: string, id?: RpcId): void {
    if (this.#socket !== undefined) {
      this.#send(this.#socket, text)
      return
    }
    this.#waitingBytes += text.length
    if (this.#waitingBytes > MAX_WAITING_BYTES) {
      this.#end('the client has sent more than can be kept until the host is there')
      return
    }
    this.#waiting.push({ text, ...(id !== undefined && { id }) })
  }

  #send(socket: Duplex, text: string): void {
    if (socket.write(`${text}\n`)) return
    const { input } = this.#options
    input.pause()
    socket.once('drain', () => input.resume())
    socket.once('close', () => input.resume())
  }

  async #connect(): Promise<void> {
    try {
      const socket = await this.#line.open()
      if (socket !== undefined) this.#use(socket)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      this.#options.log(reason)
      this.#failPending(`Weft is not reachable: ${reason}`)
      // The next request tries again, through a fresh line of patience.
      if (!this.#ending) setTimeout(() => void this.#connect(), 1000).unref()
    }
  }

  #use(socket: Duplex): void {
    const { readLines, output } = this.#options
    const lines = readLines('host', {
      onLine: (text) => this.#fromHost(text),
      onTooLong: () => socket.destroy(),
      onFlood: () => socket.destroy(),
    })
    socket.on('data', (chunk: Buffer) => {
      lines.push(chunk)
      if (!output.writableNeedDrain) return
      socket.pause()
      output.once('drain', () => socket.resume())
    })
    socket.on('error', (error) => this.#options.log(`the line to the host failed: ${error.message}`))
    socket.once('close', () => this.#lost())
    this.#socket = socket
    this.#openedAt = Date.now()
    this.#shakeHands(socket)
    const waiting = this.#waiting
    this.#waiting = []
    this.#waitingBytes = 0
    for (const { text } of waiting) this.#send(socket, text)
  }

  #shakeHands(socket: Duplex): void {
    const handshake = this.#handshake
    if (handshake === undefined) return
    this.#send(socket, toLine({ ...handshake.message, id: this.#makeOwnId() }))
    this.#send(socket, toLine({ jsonrpc: '2.0', method: 'notifications/initialized' }))
    for (const { message } of this.#subscribed.values())
      this.#send(socket, toLine({ ...message, id: this.#makeOwnId() }))
  }

  #makeOwnId(): string {
    return `${OWN_ID}${++this.#ownId}`
  }

  #fromHost(text: string): void {
    const frame = readFrame(text)
    if (frame.kind !== 'response') {
      // Progress and news; anything else is not of the protocol, and not for the output.
      if (frame.kind === 'notification') this.#write(text)
      else this.#options.log(`the host says: ${text.slice(0, 500)}`)
      return
    }
    const { id } = frame
    if (typeof id === 'string' && id.startsWith(OWN_ID)) return
    // An answer that nobody waits for was cancelled, or told as an error already.
    if (id !== null && !this.#pending.delete(id)) return
    if (id === null) this.#options.log(`the host answers: ${text.slice(0, 500)}`)
    else this.#write(text)
    this.#endIfDone()
  }

  #lost(): void {
    this.#socket = undefined
    if (this.#ending) return this.#end('the host has gone')
    this.#options.log('the line to the host is lost: connecting again')
    this.#failPending(
      'The Weft host has ended while this was running. What ran is kept: call workflow_status for your runs, and resume one with resumeFromRunId.',
    )
    const refused = Date.now() - this.#openedAt < REFUSED_MS
    setTimeout(() => void this.#connect(), refused ? REFUSED_MS : 0)
  }

  #failPending(reason: string): void {
    for (const id of this.#pending) this.#write(errorFrame(id, SERVER_ERROR, reason))
    this.#pending.clear()
    this.#waiting = []
    this.#waitingBytes = 0
  }

  #write(line: string): void {
    this.#options.output.write(`${line}\n`)
  }

  #goodbye(): void {
    if (this.#ending) return
    this.#ending = true
    setTimeout(() => this.#end('the client has closed its end'), GOODBYE_MS)
    this.#endIfDone()
  }

  #endIfDone(): void {
    if (this.#ending && this.#pending.size === 0) this.#end('the client has closed its end')
  }

  #end(reason: string): void {
    this.#options.log(`ending: ${reason}`)
    this.#ending = true
    this.#line.close()
    this.#socket?.destroy()
    this.#done()
  }
}
