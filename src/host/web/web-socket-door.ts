// WebSockets of the browser door: one session each, heartbeats, and an end for those who no longer answer.

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'
import { HostError } from '../../shared/index.ts'
import type { Logger } from '../../engine/index.ts'
import type { Host, SessionIdentity } from '../host.ts'
import { connectWire, type WireConnection } from '../wire/connection.ts'
import { MAX_FRAME_BYTES } from '../wire/line-splitter.ts'

const HEARTBEAT_MS = 30_000
/** How long a client may take to say goodbye. */
const CLOSE_MS = 1000

const GOING_AWAY = 1001
const TRY_LATER = 1013

export interface WebSocketDoorOptions {
  host: Host
  workspace: string
  open?: string
  logger: Logger
  heartbeatMs?: number
}

export class WebSocketDoor {
  readonly #options: WebSocketDoorOptions
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false })
  readonly #answered = new WeakSet<WebSocket>()
  readonly #heartbeat: NodeJS.Timeout

  constructor(options: WebSocketDoorOptions) {
    this.#options = options
    this.#heartbeat = setInterval(() => this.#beat(), options.heartbeatMs ?? HEARTBEAT_MS)
    this.#heartbeat.unref()
  }

  /** Takes over a socket whose request has been let in. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(request, socket, head, (client) => this.#connect(client))
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat)
    const clients = [...this.#server.clients]
    await Promise.all(clients.map((client) => closeClient(client)))
    this.#server.close()
  }

  #connect(client: WebSocket): void {
    const { host, workspace, open, logger } = this.#options
    const identity: SessionIdentity = { kind: 'browser', workspace, ...(open !== undefined && { open }) }
    client.on('error', (error) => logger.warn('A browser connection failed', { error }))
    let connection: WireConnection
    try {
      connection = connectWire(host, identity, {
        send: (text) => client.send(text),
        unsentBytes: () => client.bufferedAmount,
        close: (reason) => {
          logger.warn(`A browser connection was ended: ${reason}`)
          client.terminate()
        },
      })
    } catch (error) {
      if (!(error instanceof HostError)) logger.error('A browser connection could not be opened', { error })
      client.close(TRY_LATER, 'the host takes no more clients')
      return
    }
    this.#answered.add(client)
    client.on('pong', () => this.#answered.add(client))
    client.on('message', (data, isBinary) => {
      if (isBinary) connection.refuse('A frame has to be text, not binary')
      else connection.receive(asText(data))
    })
    client.once('close', () => connection.end())
  }

  #beat(): void {
    for (const client of this.#server.clients) {
      if (!this.#answered.delete(client)) client.terminate()
      else client.ping()
    }
  }
}

async function closeClient(client: WebSocket): Promise<void> {
  if (client.readyState === client.CLOSED) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => client.terminate(), CLOSE_MS)
    client.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
    client.close(GOING_AWAY, 'the host ends')
  })
}

function asText(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8')
  return data instanceof ArrayBuffer ? Buffer.from(data).toString('utf8') : data.toString('utf8')
}
