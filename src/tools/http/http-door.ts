// MCP over Streamable HTTP on 127.0.0.1, for harnesses that can't start a bridge. Older clients get a session that lives until
// they end it; those of 2026 send everything with each request, so their session goes by their name and workspace.

import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type McpHttpHandler,
} from '@modelcontextprotocol/server'
import type { HttpToolDoor, ToolClient, ToolHost } from '../../shared/index.ts'
import { createMcpServer, followNews } from '../server/mcp-server.ts'
import type { RunOwners } from '../server/run-owners.ts'
import { readToolSettings, ToolSession, type ClientInfo } from '../server/tool-session.ts'
import { refuseRequest } from './guard.ts'

const MAX_BODY_BYTES = 16 * 1024 * 1024
/** Beyond, the session that was used longest ago ends. */
const MAX_SESSIONS = 100
const PATH = '/mcp'
const WORKSPACE_HEADER = 'weft-workspace'
/** How many runs lie between the user and the client; what cannot be read counts as one, since somebody meant to say so. */
const DEPTH_HEADER = 'weft-depth'
const SESSION_HEADER = 'mcp-session-id'

export interface HttpDoorOptions {
  host: ToolHost
  owners: RunOwners
  port: number
  token: string
}

/** Listens. Rejects as the system does, for instance when the port is taken. */
export async function openHttpDoor(options: HttpDoorOptions): Promise<HttpToolDoor> {
  const door = new HttpDoor(options)
  return { port: await door.listen(), close: () => door.close() }
}

interface Open {
  session: ToolSession
  /** Of an older client. */
  transport?: WebStandardStreamableHTTPServerTransport
}

class HttpDoor {
  readonly #options: HttpDoorOptions
  readonly #server: Server
  readonly #modern: McpHttpHandler
  /** By the id of an older client, or by what a client of 2026 is known by; in the order in which they were used. */
  readonly #open = new Map<string, Open>()
  #port = 0

  constructor(options: HttpDoorOptions) {
    this.#options = options
    const { logger } = options.host
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        logger.debug('A request over HTTP failed', { error })
        response.destroy()
      })
    })
    this.#modern = createMcpHandler(({ requestInfo }) => this.#modernServer(originOf(requestInfo)), {
      legacy: 'reject',
      maxRequestBodySize: MAX_BODY_BYTES,
      onerror: (error) => logger.debug('A request over HTTP could not be served', { error }),
    })
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen({ host: '127.0.0.1', port: this.#options.port }, resolve)
    })
    // A server that listens on TCP has an address of this shape.
    this.#port = (this.#server.address() as AddressInfo).port
    return this.#port
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    await this.#modern.close()
    for (const key of this.#open.keys()) this.#end(key)
    this.#server.closeAllConnections()
    await closed
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const refusal = refuseRequest(incoming, this.#port, this.#options.token)
    const path = (incoming.url ?? '').split('?')[0]
    if (refusal !== undefined || path !== PATH) {
      const { status, words } = refusal ?? { status: 404, words: 'not found' }
      outgoing.writeHead(status, {
        'Content-Type': 'text/plain; charset=utf-8',
        Connection: 'close',
        ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
      })
      outgoing.end(`${words}\n`)
      return
    }
    const request = toWebRequest(incoming, outgoing, this.#port)
    const isLegacy = await isLegacyRequest(request, undefined, { maxRequestBodySize: MAX_BODY_BYTES })
    await sendWebResponse(await (isLegacy ? this.#legacy(request) : this.#modern.fetch(request)), outgoing)
  }

  async #legacy(request: Request): Promise<Response> {
    const id = request.headers.get(SESSION_HEADER)
    if (id !== null) {
      const known = this.#use(id)
      if (known?.transport !== undefined) return known.transport.handleRequest(request)
      const error = { code: -32001, message: 'There is no such session: initialize a new one' }
      return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 404 })
    }
    const session = this.#makeSession(originOf(request), randomUUID())
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (made) => this.#keep(made, { session, transport }),
      onsessionclosed: (closed) => this.#end(closed),
      maxRequestBodySize: MAX_BODY_BYTES,
    })
    const sessionOf = (client: ClientInfo | undefined): ToolSession => {
      session.identify(client)
      return session
    }
    const { version } = this.#options.host
    const { toolName } = session.settings()
    await createMcpServer({ sessionOf, news: session, version, toolName, depth: session.depth, era: 'legacy' }).connect(
      transport,
    )
    const response = await transport.handleRequest(request)
    // Anything but a handshake made no session.
    if (transport.sessionId === undefined) {
      await transport.close()
      session.close()
    }
    return response
  }

  #modernServer(origin: Origin) {
    const { host } = this.#options
    const sessionOf = (client: ClientInfo | undefined): ToolSession => this.#modernSession(client, origin)
    const { toolName } = readToolSettings(host.readSettings())
    return createMcpServer({ sessionOf, version: host.version, toolName, depth: origin.depth, era: 'modern' })
  }

  #modernSession(client: ClientInfo | undefined, origin: Origin): ToolSession {
    const key = JSON.stringify([client?.name ?? null, origin.workspace, origin.depth])
    const known = this.#use(key)
    if (known !== undefined) return known.session
    const session = this.#makeSession(origin, `http ${key}`)
    session.identify(client)
    const { notify } = this.#modern
    followNews(session, {
      runsChanged: () => notify.resourcesChanged(),
      runChanged: (uri) => notify.resourceUpdated(uri),
      workflowsChanged: () => notify.promptsChanged(),
    })
    this.#keep(key, { session })
    return session
  }

  #makeSession(origin: Origin, id: string): ToolSession {
    const { host, owners } = this.#options
    return new ToolSession({ host, owners, client: origin, id })
  }

  #use(key: string): Open | undefined {
    const known = this.#open.get(key)
    if (known === undefined) return undefined
    this.#open.delete(key)
    this.#open.set(key, known)
    return known
  }

  #keep(key: string, open: Open): void {
    this.#open.set(key, open)
    const oldest = this.#open.keys().next()
    if (this.#open.size > MAX_SESSIONS && oldest.done !== true) this.#end(oldest.value)
  }

  #end(key: string): void {
    const open = this.#open.get(key)
    this.#open.delete(key)
    open?.session.close()
    open?.transport?.close().catch(() => {})
  }
}

/** Where a request comes from, by what its headers say. */
type Origin = Required<Pick<ToolClient, 'workspace' | 'depth'>>

/** A client that does not say where it works works in the user's home. */
function originOf(request: Request | undefined): Origin {
  const workspace = request?.headers.get(WORKSPACE_HEADER) ?? ''
  const depth = request?.headers.get(DEPTH_HEADER)?.trim() ?? ''
  return {
    workspace: isAbsolute(workspace) ? workspace : homedir(),
    depth: depth === '' ? 0 : /^\d{1,4}$/.test(depth) ? Number(depth) : 1,
  }
}

function toWebRequest(incoming: IncomingMessage, outgoing: ServerResponse, port: number): Request {
  const gone = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort()
  })
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  const method = incoming.method ?? 'GET'
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const init = { method, headers, signal: gone.signal }
  const url = `http://127.0.0.1:${port}${incoming.url ?? '/'}`
  if (!hasBody) return new Request(url, init)
  return new Request(url, { ...init, body: Readable.toWeb(incoming), duplex: 'half' })
}

async function sendWebResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  if (response.body === null) {
    outgoing.end()
    return
  }
  outgoing.flushHeaders()
  // A client that has gone takes no more of it.
  await pipeline(Readable.fromWeb(response.body), outgoing).catch(() => {})
}
