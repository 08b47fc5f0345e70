// The browser door: the built renderer and a WebSocket that speaks HostApi, on 127.0.0.1 only, for whoever has the token.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { API_VERSION, HostError } from '../../shared/index.ts'
import type { Logger } from '../../engine/index.ts'
import { hasErrorCode } from '../lib/files.ts'
import type { Host } from '../host.ts'
import { SECURITY_HEADERS } from './csp.ts'
import { DoorGuard } from './door-guard.ts'
import { findStaticFile, sendStaticFile } from './static-files.ts'
import { WebSocketDoor } from './web-socket-door.ts'

export interface ServeWebOptions {
  host: Host
  /** 0 or left out: any free one. */
  port?: number
  /** The built renderer. */
  rendererDir: string
  workspace: string
  /** The file to show first. */
  open?: string
  logger: Logger
  /** Between two pings of an idle client; default 30,000 ms. */
  heartbeatMs?: number
}

export interface WebDoor {
  /** With the token: only for the user who asked for it. */
  url: string
  port: number
  close(): Promise<void>
}

/** Listens on 127.0.0.1. Rejects with CONFLICT when the port is taken. */
export async function serveWeb(options: ServeWebOptions): Promise<WebDoor> {
  const { logger } = options
  const guard = new DoorGuard()
  const sockets = new WebSocketDoor(options)
  const server = createServer((request, response) => {
    answer(request, response, guard, options.rendererDir).catch((error: unknown) => {
      logger.warn('A request of the browser door failed', { error })
      response.destroy()
    })
  })
  server.on('upgrade', (request, socket, head) => {
    const refusal = upgradeRefusal(request, guard)
    if (refusal === undefined) sockets.accept(request, socket, head)
    else socket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  })
  const port = await listen(server, options.port ?? 0)
  guard.listenOn(port)
  let closing: Promise<void> | undefined
  return {
    url: `http://127.0.0.1:${port}/?token=${guard.token}`,
    port,
    close: () => (closing ??= closeAll(server, sockets)),
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  guard: DoorGuard,
  rendererDir: string,
): Promise<void> {
  const refuse = (status: number, words: string): void => {
    response.writeHead(status, { ...SECURITY_HEADERS, 'Content-Type': 'text/plain; charset=utf-8' }).end(`${words}\n`)
  }
  const refusal = guard.refusal(request)
  if (refusal !== undefined) return refuse(403, refusal)
  const url = readUrl(request)
  if (url === undefined) return refuse(400, 'bad address')
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405, 'only GET and HEAD')
  if (url.searchParams.has('token')) {
    if (!guard.hasToken(url)) return refuse(401, 'wrong token')
    // The token leaves the address bar and the history at once.
    response
      .writeHead(303, {
        ...SECURITY_HEADERS,
        'Set-Cookie': guard.setCookie(),
        Location: '/',
        'Cache-Control': 'no-store',
      })
      .end()
    return
  }
  if (!guard.hasCookie(request)) return refuse(401, 'open the address that `weft serve` printed')
  const file = await findStaticFile(rendererDir, url.pathname)
  if (file === undefined) return refuse(404, 'not found')
  await sendStaticFile(
    file,
    response,
    { ...SECURITY_HEADERS, 'X-Weft-Api': String(API_VERSION) },
    request.method === 'GET',
  )
}

function upgradeRefusal(request: IncomingMessage, guard: DoorGuard): string | undefined {
  const refusal = guard.refusal(request)
  if (refusal !== undefined || !guard.hasOwnOrigin(request)) return '403 Forbidden'
  if (readUrl(request)?.pathname !== '/api') return '404 Not Found'
  return guard.hasCookie(request) ? undefined : '401 Unauthorized'
}

function readUrl(request: IncomingMessage): URL | undefined {
  try {
    return new URL(request.url ?? '/', 'http://127.0.0.1')
  } catch {
    return undefined
  }
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(
        hasErrorCode(error, 'EADDRINUSE')
          ? new HostError({ code: 'CONFLICT', message: `Port ${port} is in use: choose another one` }, { cause: error })
          : error,
      )
    })
    server.listen({ host: '127.0.0.1', port }, resolve)
  })
  // A server that listens on TCP has an address of this shape.
  return (server.address() as AddressInfo).port
}

async function closeAll(server: Server, sockets: WebSocketDoor): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  await sockets.close()
  server.closeAllConnections()
  await closed
}
