import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket as NodeWebSocket, WebSocketServer, type WebSocket as ServerSocket } from 'ws'
import { createSocketClient } from '../../../../src/renderer/state/client/socket-client.ts'
import { asRunId, HostError, type HostRequest } from '../../../../src/shared/index.ts'
import { EventLog, runStarted } from '../../../support/shared/events.ts'

let server: WebSocketServer
let url: string
const ends: (() => void)[] = []

beforeEach(async () => {
  server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  // A TCP server's address is an object.
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/api`
})

afterEach(async () => {
  for (const end of ends.splice(0)) end()
  for (const client of server.clients) client.terminate()
  await new Promise((resolve) => server.close(resolve))
})

/** Connects, and hands out the host's end of each connection in turn. */
function connect(options: { handshake?: Parameters<typeof createSocketClient>[1] } = {}) {
  const reconnects: (() => void)[] = []
  const errors: unknown[] = []
  const client = createSocketClient(url, {
    // Node's `ws` speaks the same protocol and has the same listeners as the browser's.
    open: (to) => new NodeWebSocket(to),
    wait: (_ms, then) => {
      reconnects.push(then)
      return () => {}
    },
    onError: (error) => errors.push(error),
    ...options.handshake,
  })
  ends.push(() => client.close())
  return { client, reconnects, errors }
}

/** The host's end of the next connection; requests are kept from the first one on. */
async function accept() {
  const [socket] = (await once(server, 'connection')) as [ServerSocket] // what the server emits
  const requests: HostRequest[] = []
  const waiting: ((request: HostRequest) => void)[] = []
  socket.on('message', (data: Buffer) => {
    // What the client sends is a request.
    const request = JSON.parse(data.toString()) as HostRequest
    const next = waiting.shift()
    if (next === undefined) requests.push(request)
    else next(request)
  })
  return {
    next(): Promise<HostRequest> {
      const request = requests.shift()
      return request === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(request)
    },
    send: (frame: unknown) => socket.send(JSON.stringify(frame)),
    answer: (id: number, value: unknown) => socket.send(JSON.stringify({ id, ok: true, value })),
    terminate: () => socket.terminate(),
  }
}

function statusOf(
  client: { status: string; onStatus(listener: (status: string) => void): () => void },
  wanted: string,
) {
  return new Promise<void>((resolve) => {
    if (client.status === wanted) resolve()
    client.onStatus((status) => status === wanted && resolve())
  })
}

describe('the socket client', () => {
  it('answers a call with the value of the reply that has its id', async () => {
    const { client } = connect()
    const socket = await accept()
    const first = client.call('run.list', {})
    const second = client.call('host.status', {})
    const requests = [await socket.next(), await socket.next()]
    expect(requests.map(({ call }) => call)).toEqual(['run.list', 'host.status'])
    socket.answer(requests[1]?.id ?? 0, { pid: 7 })
    socket.answer(requests[0]?.id ?? 0, { runs: [], total: 0 })
    expect(await second).toEqual({ pid: 7 })
    expect(await first).toEqual({ runs: [], total: 0 })
  })

  it('rejects with the error of the reply, code and details kept', async () => {
    const { client } = connect()
    const socket = await accept()
    const call = client.call('run.get', { runId: 'nope' })
    const { id } = await socket.next()
    socket.send({ id, ok: false, error: { code: 'NOT_FOUND', message: 'no such run', violations: ['a'] } })
    const error: unknown = await call.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(HostError)
    expect(error).toMatchObject({ code: 'NOT_FOUND', message: 'no such run', violations: ['a'] })
  })

  it('does the handshake before any other call', async () => {
    const { client } = connect({ handshake: { handshake: (call) => call('host.hello', { apiVersion: 1 }) } })
    const pending = client.call('host.status', {})
    const socket = await accept()
    const hello = await socket.next()
    expect(hello.call).toBe('host.hello')
    expect(client.status).toBe('connecting')
    socket.answer(hello.id, {})
    const status = await socket.next()
    expect(status.call).toBe('host.status')
    socket.answer(status.id, { pid: 1 })
    expect(await pending).toEqual({ pid: 1 })
  })

  it('rejects open calls with CLOSED when the connection is lost', async () => {
    const { client } = connect()
    const socket = await accept()
    const call = client.call('run.list', {})
    await socket.next()
    socket.terminate()
    await expect(call).rejects.toMatchObject({ code: 'CLOSED' })
    expect(client.status).toBe('reconnecting')
    await expect(client.call('run.list', {})).rejects.toMatchObject({ code: 'CLOSED' })
  })

  it('connects again and watches its runs from the event after the last one seen', async () => {
    const { client, reconnects } = connect()
    const seen: number[] = []
    client.on('run.events', ({ events }) => seen.push(...events.map((event) => event.seq)))
    let socket = await accept()
    const watch = client.call('run.watch', { runId: 'run-1', fromSeq: 1 })
    socket.answer((await socket.next()).id, { lastSeq: 2 })
    await watch
    const { events } = new EventLog().add('run-started', runStarted()).add('phase-started', { title: 'Look', group: 0 })
    const arrived = new Promise<void>((resolve) => client.on('run.events', () => resolve()))
    socket.send({ event: 'run.events', payload: { runId: asRunId('run-1'), events } })
    await arrived
    expect(seen).toEqual([1, 2])

    const lost = statusOf(client, 'reconnecting')
    socket.terminate()
    await lost
    const again = accept()
    reconnects.shift()?.()
    socket = await again
    const resumed = await socket.next()
    expect(resumed).toMatchObject({ call: 'run.watch', params: { runId: 'run-1', fromSeq: 3 } })
    await statusOf(client, 'connected')
  })

  it('watches an ended watch no longer after connecting again', async () => {
    const { client, reconnects } = connect()
    let socket = await accept()
    void client.call('run.watch', { runId: 'run-1', fromSeq: 1 })
    socket.answer((await socket.next()).id, { lastSeq: 0 })
    void client.call('run.unwatch', { runId: 'run-1' })
    socket.answer((await socket.next()).id, {})
    const lost = statusOf(client, 'reconnecting')
    socket.terminate()
    await lost
    const again = accept()
    reconnects.shift()?.()
    socket = await again
    await statusOf(client, 'connected')
    void client.call('host.status', {}).catch(() => {})
    expect((await socket.next()).call).toBe('host.status')
  })

  it('stays closed when the host refuses the handshake', async () => {
    const { client, errors, reconnects } = connect({
      handshake: { handshake: (call) => call('host.hello', { apiVersion: 99 }) },
    })
    const socket = await accept()
    const { id } = await socket.next()
    const closed = statusOf(client, 'closed')
    socket.send({ id, ok: false, error: { code: 'VERSION_MISMATCH', message: 'host speaks 1' } })
    await closed
    expect(errors).toMatchObject([{ code: 'VERSION_MISMATCH' }])
    expect(reconnects).toEqual([])
  })
})
