// HostClient over a WebSocket: the browser build. Connects again by itself and watches the same runs from where it stopped.

import {
  HostError,
  type HostCallName,
  type HostCalls,
  type HostPush,
  type HostReply,
  type HostRequest,
} from '../../../shared/index.ts'
import { reconnectDelay } from './backoff.ts'
import type { ConnectionStatus, HostConnection } from './connection.ts'
import { createPushListeners } from './push-listeners.ts'
import { createWatchList } from './watch-list.ts'

/** What this client needs of a WebSocket; the browser's own fits. */
export interface SocketLike {
  send(data: string): void
  close(): void
  addEventListener(type: 'open' | 'close', listener: () => void): void
  addEventListener(type: 'message', listener: (message: { data: unknown }) => void): void
}

type CallFunction = (name: HostCallName, params: unknown) => Promise<unknown>

export interface SocketClientOptions {
  /** Done first on each new connection; while it is not, other calls wait. A rejection closes the client for good. */
  handshake?: (call: CallFunction) => Promise<unknown>
  open?: (url: string) => SocketLike
  wait?: (ms: number, then: () => void) => () => void
  random?: () => number
  onError?: (error: unknown) => void
}

interface PendingCall {
  resolve(value: unknown): void
  reject(error: unknown): void
  name: HostCallName
}

/** `url` is that of the host's `/api`, e.g. `ws://127.0.0.1:4100/api`. */
export function createSocketClient(url: string, options: SocketClientOptions = {}): HostConnection {
  return new SocketClient(url, options)
}

class SocketClient implements HostConnection {
  readonly #url: string
  readonly #options: Required<SocketClientOptions>
  readonly #pushes
  readonly #watches = createWatchList()
  readonly #statusListeners = new Set<(status: ConnectionStatus) => void>()
  readonly #pending = new Map<number, PendingCall>()
  #waiting: (() => void)[] = []
  #status: ConnectionStatus = 'connecting'
  #socket: SocketLike | undefined
  #stopWaiting: (() => void) | undefined
  #attempt = 0
  #lastId = 0

  constructor(url: string, options: SocketClientOptions) {
    this.#url = url
    this.#options = {
      handshake: options.handshake ?? (() => Promise.resolve()),
      open: options.open ?? ((to) => new WebSocket(to)),
      wait: options.wait ?? waitWithTimer,
      random: options.random ?? Math.random,
      onError: options.onError ?? ((error) => reportError(error)),
    }
    this.#pushes = createPushListeners(this.#options.onError)
    this.#connect()
  }

  get status(): ConnectionStatus {
    return this.#status
  }

  on: HostConnection['on'] = (name, listener) => this.#pushes.on(name, listener)

  onStatus(listener: (status: ConnectionStatus) => void): () => void {
    this.#statusListeners.add(listener)
    return () => void this.#statusListeners.delete(listener)
  }

  async call<Name extends HostCallName>(
    name: Name,
    params: HostCalls[Name]['params'],
  ): Promise<HostCalls[Name]['result']> {
    if (this.#status === 'connecting') await new Promise<void>((resolve) => this.#waiting.push(resolve))
    if (this.#status !== 'connected') throw lost(name)
    this.#watches.noteCall(name, params)
    // A host of the same API version answers with the call's own result type.
    return (await this.#send(name, params)) as HostCalls[Name]['result']
  }

  close(): void {
    this.#stopWaiting?.()
    this.#drop()
    this.#setStatus('closed')
    this.#releaseWaiting()
  }

  #connect(): void {
    const socket = this.#options.open(this.#url)
    this.#socket = socket
    socket.addEventListener('open', () => void this.#onOpen(socket))
    socket.addEventListener('message', ({ data }) => this.#onMessage(data))
    socket.addEventListener('close', () => this.#onLost(socket))
  }

  async #onOpen(socket: SocketLike): Promise<void> {
    try {
      await this.#options.handshake((name, params) => this.#send(name, params))
    } catch (error) {
      if (socket !== this.#socket) return
      if (error instanceof HostError && error.code === 'CLOSED') return
      this.close()
      this.#options.onError(error)
      return
    }
    if (socket !== this.#socket) return
    this.#attempt = 0
    for (const watch of this.#watches.toResume()) {
      // A run that is gone by now is the affair of whoever shows it; the connection itself is fine.
      this.#send('run.watch', watch).catch(this.#options.onError)
    }
    this.#setStatus('connected')
    this.#releaseWaiting()
  }

  #onMessage(data: unknown): void {
    if (typeof data !== 'string') return
    let frame: HostReply | HostPush
    try {
      // Frames come from the host this page was loaded from; HostReply and HostPush are all it sends.
      frame = JSON.parse(data) as HostReply | HostPush
    } catch (error) {
      this.#options.onError(error)
      return
    }
    if ('event' in frame) {
      this.#watches.notePush(frame)
      this.#pushes.emit(frame)
      return
    }
    const pending = this.#pending.get(frame.id)
    if (pending === undefined) return
    this.#pending.delete(frame.id)
    if (frame.ok) pending.resolve(frame.value)
    else pending.reject(new HostError(frame.error))
  }

  #onLost(socket: SocketLike): void {
    if (socket !== this.#socket) return
    this.#drop()
    if (this.#status === 'connected') this.#setStatus('reconnecting')
    this.#attempt++
    this.#stopWaiting = this.#options.wait(reconnectDelay(this.#attempt, this.#options.random), () => this.#connect())
  }

  #drop(): void {
    const socket = this.#socket
    this.#socket = undefined
    const open = [...this.#pending.values()]
    this.#pending.clear()
    for (const call of open) call.reject(lost(call.name))
    socket?.close()
  }

  #send(name: HostCallName, params: unknown): Promise<unknown> {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      const socket = this.#socket
      if (socket === undefined) {
        reject(lost(name))
        return
      }
      this.#pending.set(id, { resolve, reject, name })
      socket.send(JSON.stringify({ id, call: name, params } satisfies HostRequest))
    })
  }

  #setStatus(status: ConnectionStatus): void {
    if (this.#status === status || this.#status === 'closed') return
    this.#status = status
    for (const listener of this.#statusListeners) listener(status)
  }

  #releaseWaiting(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }
}

function lost(name: string): HostError {
  return new HostError({ code: 'CLOSED', message: `${name}: the host can't be reached. It is tried again by itself.` })
}

function waitWithTimer(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms)
  return () => clearTimeout(timer)
}
