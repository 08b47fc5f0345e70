// A browser's side of the web door: the token changed for a cookie, then a WebSocket with a HostClient's calls.

import { once } from 'node:events'
import { WebSocket } from 'ws'
import { expect, onTestFinished } from 'vitest'
import { serveWeb, type Host, type WebDoor } from '../../../src/host/index.ts'
import type { HostPush, HostReply } from '../../../src/shared/index.ts'
import { createLogKeeper, type LogEntry } from './quiet-logger.ts'
import { writeFileIn, type Folders } from './make-host.ts'
import { sendRaw } from './raw-http.ts'

export interface TestDoor extends WebDoor {
  token: string
  entries: LogEntry[]
}

/** A door that serves `<h1>Weft</h1>` and one script. */
export async function openDoor(host: Host, folders: Folders, heartbeatMs?: number): Promise<TestDoor> {
  const rendererDir = `${folders.root}/renderer`
  await writeFileIn(rendererDir, 'index.html', '<h1>Weft</h1>')
  await writeFileIn(rendererDir, 'assets/index-DiwrgTda.js', 'export {}')
  const { logger, entries } = createLogKeeper()
  const { workspace } = folders
  const door = await serveWeb({
    host,
    rendererDir,
    workspace,
    open: `${workspace}/first.js`,
    logger,
    ...(heartbeatMs !== undefined && { heartbeatMs }),
  })
  onTestFinished(() => door.close())
  return { ...door, token: new URL(door.url).searchParams.get('token') ?? '', entries }
}

/** Changes the token for the cookie, as the first load of a page does. */
export async function getCookie(door: TestDoor): Promise<string> {
  const { status, headers } = await sendRaw(door.port, `/?token=${door.token}`)
  expect(status).toBe(303)
  return headers['set-cookie']?.split(';')[0] ?? ''
}

export interface WebClient {
  socket: WebSocket
  /** Frames that came and were not asked for by `next`. */
  next(): Promise<HostReply | HostPush>
  /** The next frame that is no news. */
  nextReply(): Promise<HostReply>
  request(call: string, params: unknown): Promise<HostReply>
}

export async function connectWeb(door: TestDoor, headers: Record<string, string> = {}): Promise<WebClient> {
  const cookie = await getCookie(door)
  const origin = `http://127.0.0.1:${door.port}`
  const socket = new WebSocket(`ws://127.0.0.1:${door.port}/api`, {
    headers: { Cookie: cookie, Origin: origin, ...headers },
  })
  onTestFinished(() => socket.terminate())
  const frames: (HostReply | HostPush)[] = []
  const waiting: ((frame: HostReply | HostPush) => void)[] = []
  socket.on('message', (data) => {
    // The door sends JSON text.
    const frame = JSON.parse((data as Buffer).toString('utf8')) as HostReply | HostPush
    const first = waiting.shift()
    if (first === undefined) frames.push(frame)
    else first(frame)
  })
  await once(socket, 'open')
  let lastId = 0
  const next = (): Promise<HostReply | HostPush> => {
    const frame = frames.shift()
    return frame === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(frame)
  }
  const nextReply = async (): Promise<HostReply> => {
    const frame = await next()
    return 'event' in frame ? nextReply() : frame
  }
  return {
    socket,
    next,
    nextReply,
    async request(call, params) {
      const id = ++lastId
      socket.send(JSON.stringify({ id, call, params }))
      for (;;) {
        // Frames come one after the other.
        // oxlint-disable-next-line no-await-in-loop
        const frame = await next()
        if ('id' in frame && frame.id === id) return frame
      }
    },
  }
}
