// The other end of the local door: a HostClient that acts through the host which holds the data folder.

import { readFileSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import {
  API_VERSION,
  HostError,
  type HostCallName,
  type HostCalls,
  type HostClient,
  type HostEventName,
  type HostEvents,
  type HostPush,
  type HostReply,
} from '../../shared/index.ts'
import type { SessionIdentity } from '../host.ts'
import { readOwner } from '../lock/read-owner.ts'
import { NO_REQUEST } from '../wire/connection.ts'
import { LineSplitter } from '../wire/line-splitter.ts'
import type { ApiLine } from './first-line.ts'
import { TOKEN_FILE } from './token-file.ts'

/** Results may be far larger than what a host takes; a frame above this can't be held as one string anyway. */
const MAX_ANSWER_BYTES = 500 * 1024 * 1024
const POLL_MS = 50

export interface ConnectedHost extends HostClient {
  /** Resolves when the connection has ended, by either side. */
  readonly closed: Promise<void>
  close(): void
}

export interface ConnectOptions {
  /** How long to wait for a host that is just starting. Default 0. */
  waitMs?: number
}

/**
 * Connects to the host of `dataDir`. Rejects with NOT_FOUND when none answers, with VERSION_MISMATCH when it speaks
 * another version of HostApi.
 */
export async function connectHost(
  dataDir: string,
  identity: SessionIdentity & { kind: ApiLine['client']['kind'] },
  { waitMs = 0 }: ConnectOptions = {},
): Promise<ConnectedHost> {
  const until = Date.now() + waitMs
  for (;;) {
    try {
      const client = await dial(dataDir, identity)
      await greet(client, identity)
      return client
    } catch (error) {
      const retry = error instanceof HostError && error.code === 'NOT_FOUND' && Date.now() < until
      if (!retry) throw error
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
}

async function dial(
  dataDir: string,
  identity: SessionIdentity & { kind: ApiLine['client']['kind'] },
): Promise<RemoteHost> {
  const nobody = (cause?: unknown): HostError =>
    new HostError({ code: 'NOT_FOUND', message: `No host is running for ${dataDir}` }, { cause })
  const path = readOwner(dataDir)?.socket
  if (path === undefined || path === null) throw nobody()
  let token: string
  try {
    token = readFileSync(join(dataDir, TOKEN_FILE), 'utf8')
  } catch (error) {
    throw nobody(error)
  }
  const socket = createConnection(path)
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', (error) => reject(nobody(error)))
  })
  const { kind, name, workspace, open } = identity
  const line: ApiLine = {
    token,
    door: 'api',
    client: { kind, workspace, ...(name !== undefined && { name }), ...(open !== undefined && { open }) },
  }
  return new RemoteHost(socket, line)
}

async function greet(client: RemoteHost, identity: SessionIdentity): Promise<void> {
  try {
    const { kind, name } = identity
    await client.call('host.hello', { apiVersion: API_VERSION, client: { kind, ...(name !== undefined && { name }) } })
  } catch (error) {
    client.close()
    throw error
  }
}

interface Pending {
  resolve: (value: never) => void
  reject: (error: HostError) => void
}

class RemoteHost implements ConnectedHost {
  readonly closed: Promise<void>
  readonly #socket: Socket
  readonly #pending = new Map<number, Pending>()
  readonly #listeners = new Map<HostEventName, Set<(payload: never) => void>>()
  #nextId = 1
  #end: HostError | undefined

  constructor(socket: Socket, firstLine: ApiLine) {
    this.#socket = socket
    const lines = new LineSplitter({
      maxBytes: MAX_ANSWER_BYTES,
      onLine: (text) => this.#receive(text),
      onTooLong: () => socket.destroy(new Error('an answer is too large to be read')),
      onFlood: () => socket.destroy(),
    })
    let failure: Error | undefined
    socket.on('data', (chunk) => lines.push(chunk))
    socket.on('error', (error) => {
      failure = error
    })
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#fail(
          new HostError({ code: 'CLOSED', message: 'The connection to the host has ended' }, { cause: failure }),
        )
        resolve()
      })
    })
    socket.write(`${JSON.stringify(firstLine)}\n`)
  }

  call<Name extends HostCallName>(name: Name, params: HostCalls[Name]['params']): Promise<HostCalls[Name]['result']> {
    return new Promise((resolve, reject) => {
      if (this.#end !== undefined) {
        reject(this.#end)
        return
      }
      const id = this.#nextId++
      this.#pending.set(id, { resolve, reject })
      this.#socket.write(`${JSON.stringify({ id, call: name, params })}\n`)
    })
  }

  on<Name extends HostEventName>(name: Name, listener: (payload: HostEvents[Name]) => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners)
    const entry = (payload: HostEvents[Name]): void => listener(payload)
    listeners.add(entry)
    return () => {
      listeners.delete(entry)
    }
  }

  close(): void {
    this.#fail(new HostError({ code: 'CLOSED', message: 'The connection to the host was closed' }))
    this.#socket.end()
    this.#socket.destroySoon()
  }

  #receive(text: string): void {
    // The peer is our own host: its frames have the contract's shapes.
    const frame = JSON.parse(text) as HostReply | HostPush
    if ('event' in frame) {
      // Listeners of a name take that name's payload.
      for (const listener of this.#listeners.get(frame.event) ?? []) tell(listener, frame.payload as never)
      return
    }
    if (frame.id === NO_REQUEST && !frame.ok) {
      this.#fail(new HostError(frame.error))
      return
    }
    const pending = this.#pending.get(frame.id)
    this.#pending.delete(frame.id)
    // The host answers a call with that call's result: its type is what the contract says.
    if (frame.ok) pending?.resolve(frame.value as never)
    else pending?.reject(new HostError(frame.error))
  }

  #fail(error: HostError): void {
    this.#end ??= error
    for (const pending of this.#pending.values()) pending.reject(this.#end)
    this.#pending.clear()
  }
}

// One that throws starves nobody, and does not pass for a fault of the connection.
function tell(listener: (payload: never) => void, payload: never): void {
  try {
    listener(payload)
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}
