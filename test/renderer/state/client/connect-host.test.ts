import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { connectHost } from '../../../../src/renderer/state/client/connect-host.ts'
import { API_VERSION, type HostRequest, type WeftBridge } from '../../../../src/shared/index.ts'

let server: WebSocketServer
beforeEach(async () => {
  server = new WebSocketServer({ host: '127.0.0.1', port: 0, path: '/api' })
  await once(server, 'listening')
})
afterEach(async () => {
  for (const client of server.clients) client.terminate()
  await new Promise((resolve) => server.close(resolve))
})

/** Answers every request by `reply`; tells what was asked. */
function answerBy(reply: (request: HostRequest) => object): HostRequest[] {
  const asked: HostRequest[] = []
  server.on('connection', (socket) =>
    socket.on('message', (data: Buffer) => {
      // What the client sends is a request.
      const request = JSON.parse(data.toString()) as HostRequest
      asked.push(request)
      socket.send(JSON.stringify({ id: request.id, ...reply(request) }))
    }),
  )
  return asked
}

// A TCP server's address is an object.
const location = () => ({ protocol: 'http:', host: `127.0.0.1:${(server.address() as AddressInfo).port}` })

it('says hello over a WebSocket of its own origin when there is no bridge', async () => {
  const asked = answerBy(() => ({ ok: true, value: {} }))
  const connection = await connectHost(undefined, location())
  expect(asked).toEqual([
    { id: 1, call: 'host.hello', params: { apiVersion: API_VERSION, client: { kind: 'browser' } } },
  ])
  expect(connection.status).toBe('connected')
  connection.close()
})

it('fails when the host speaks another version', async () => {
  answerBy(() => ({ ok: false, error: { code: 'VERSION_MISMATCH', message: 'this host speaks 2' } }))
  await expect(connectHost(undefined, location())).rejects.toMatchObject({
    code: 'VERSION_MISMATCH',
    message: 'this host speaks 2',
  })
})

it('says hello over the bridge inside the app', async () => {
  const asked: unknown[] = []
  const bridge: WeftBridge = {
    kind: 'window',
    platform: 'linux',
    call(name, params) {
      asked.push([name, params])
      return Promise.resolve({ ok: true, value: {} })
    },
    onPush: () => () => {},
  }
  await connectHost(bridge, location())
  expect(asked).toEqual([['host.hello', { apiVersion: API_VERSION, client: { kind: 'window' } }]])
})
