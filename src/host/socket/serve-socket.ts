// The local door: a Unix domain socket (a named pipe on Windows) that speaks HostApi, or with a harness MCP, as newline-
// delimited JSON to whoever can read the token file. Only the holder of the data folder's lock opens it, so a socket that stands there is a dead one's.

import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { HostError, type HostReply, type ToolConnection, type ToolDoor } from '../../shared/index.ts'
import type { Logger } from '../../engine/index.ts'
import type { Host } from '../host.ts'
import { equalSecrets, makeSecret } from '../lib/secrets.ts'
import { connectWire, NO_REQUEST, type WireConnection } from '../wire/connection.ts'
import { LineSplitter, MAX_FRAME_BYTES } from '../wire/line-splitter.ts'
import { readFirstLine, type FirstLine } from './first-line.ts'
import { TOKEN_FILE } from './token-file.ts'
import { prepareSocketFolder, socketPaths } from './socket-path.ts'

const FIRST_LINE_MS = 5000

export interface ServeSocketOptions {
  host: Host
  /** Where harnesses are handed on to. */
  tools?: ToolDoor | undefined
  retire?: ((version: string) => Promise<boolean>) | undefined
  dataDir: string
  env: Readonly<Record<string, string | undefined>>
  platform: string
  logger: Logger
}

export interface SocketDoor {
  path: string
  close(): Promise<void>
}

/** Listens at the best place that can be had. Rejects with the last place's error when there is none. */
export async function serveSocket(options: ServeSocketOptions): Promise<SocketDoor> {
  const { dataDir, platform } = options
  const token = makeSecret()
  const tokenFile = join(dataDir, TOKEN_FILE)
  rmSync(tokenFile, { force: true })
  writeFileSync(tokenFile, token, { mode: 0o600 })
  const clients = new Set<Socket>()
  const server = createServer((socket) => {
    clients.add(socket)
    socket.once('close', () => clients.delete(socket))
    new SocketClient(socket, token, options).listen()
  })
  const path = await listenSomewhere(server, options)
  let closing: Promise<void> | undefined
  return {
    path,
    close: () =>
      (closing ??= closeServer(server, clients).finally(() => {
        rmSync(tokenFile, { force: true })
        if (platform !== 'win32') rmSync(path, { force: true })
      })),
  }
}

async function listenSomewhere(server: Server, options: ServeSocketOptions): Promise<string> {
  let failure: unknown
  for (const path of socketPaths(options.dataDir, options)) {
    try {
      // Places are tried one after the other.
      // oxlint-disable-next-line no-await-in-loop
      await listenAt(server, path, options.platform)
      return path
    } catch (error) {
      failure = error
      options.logger.debug(`The local socket can't be at ${path}`, { error })
    }
  }
  throw failure
}

async function listenAt(server: Server, path: string, platform: string): Promise<void> {
  prepareSocketFolder(path, platform)
  if (platform !== 'win32') rmSync(path, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.removeListener('error', reject)
      resolve()
    })
  })
  if (platform !== 'win32') chmodSync(path, 0o600)
}

/** One connection: nothing is looked at before its first line has carried the token. */
class SocketClient {
  readonly #socket: Socket
  readonly #token: string
  readonly #options: ServeSocketOptions
  #patience: NodeJS.Timeout | undefined
  #connection: WireConnection | ToolConnection | undefined

  constructor(socket: Socket, token: string, options: ServeSocketOptions) {
    this.#socket = socket
    this.#token = token
    this.#options = options
  }

  listen(): void {
    const socket = this.#socket
    this.#patience = setTimeout(() => this.#refuse('the first line did not come in time'), FIRST_LINE_MS)
    const lines = new LineSplitter({
      maxBytes: MAX_FRAME_BYTES,
      onLine: (text) => (this.#connection === undefined ? this.#enter(text) : this.#connection.receive(text)),
      onTooLong: () => this.#tooLong(),
      onFlood: () => this.#refuse('a frame has no end'),
    })
    socket.on('data', (chunk) => lines.push(chunk))
    socket.on('error', (error) => this.#options.logger.debug('A socket client failed', { error }))
    socket.once('close', () => {
      clearTimeout(this.#patience)
      this.#connection?.end()
    })
  }

  #enter(text: string): void {
    if (this.#socket.destroyed || this.#socket.writableEnded) return
    clearTimeout(this.#patience)
    const line = readFirstLine(text)
    if (typeof line === 'string') return this.#refuse(line)
    if (!equalSecrets(line.token, this.#token)) return this.#refuse('the token is wrong')
    if (line.door === 'retire') return void this.#retire(line.version)
    try {
      this.#connection = this.#connect(line)
    } catch (error) {
      if (!(error instanceof HostError)) this.#options.logger.error('A socket client could not be let in', { error })
      this.#refuse(error instanceof Error ? error.message : String(error))
    }
  }

  async #retire(version: string): Promise<void> {
    const retiring = (await this.#options.retire?.(version)) ?? false
    const reply: HostReply = { id: NO_REQUEST, ok: true, value: { retiring } }
    this.#socket.end(`${JSON.stringify(reply)}\n`)
  }

  #connect(line: Exclude<FirstLine, { door: 'retire' }>): WireConnection | ToolConnection {
    const wire = {
      send: (frame: string): void => {
        this.#socket.write(`${frame}\n`)
      },
      unsentBytes: (): number => this.#socket.writableLength,
      close: (reason: string): void => {
        this.#options.logger.warn(`A socket client was cut off: ${reason}`)
        this.#socket.destroy()
      },
    }
    const { host, tools } = this.#options
    if (line.door === 'api') return connectWire(host, line.client, wire)
    if (tools === undefined) throw new HostError({ code: 'NOT_ALLOWED', message: 'this host has no tool server' })
    return tools.connect(line.client, wire)
  }

  #tooLong(): void {
    const message = `A frame has more than ${MAX_FRAME_BYTES.toLocaleString('en-US')} bytes`
    if (this.#connection === undefined) this.#refuse(message)
    else this.#connection.refuse(message)
  }

  #refuse(reason: string): void {
    if (this.#socket.destroyed || this.#socket.writableEnded) return
    const reply: HostReply = {
      id: NO_REQUEST,
      ok: false,
      error: { code: 'NOT_ALLOWED', message: `The connection is refused: ${reason}` },
    }
    this.#socket.end(`${JSON.stringify(reply)}\n`, () => this.#socket.destroy())
  }
}

async function closeServer(server: Server, clients: ReadonlySet<Socket>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // What was written is still sent; a client that does not read it is not waited for.
  for (const client of clients) client.end(() => client.destroy())
  const patience = setTimeout(() => {
    for (const client of clients) client.destroy()
  }, 1000)
  await closed
  clearTimeout(patience)
}
