import type { Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { script } from '../support/host/scripts.ts'
import { waitUntil } from '../support/host/wait-until.ts'
import { RpcClient } from '../support/tools/rpc-client.ts'
import { shareToolHost } from '../support/tools/tool-host.ts'

const fixture = shareToolHost()

async function connect(): Promise<{ rpc: RpcClient; socket: Socket }> {
  const socket = fixture().dial()
  onTestFinished(() => void socket.destroy())
  const rpc = new RpcClient(socket, socket)
  await rpc.initialize()
  rpc.received.length = 0
  return { rpc, socket }
}

const ping = (id: number | string): string => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`
const hang = { name: 'workflow', arguments: { script: script('test', `return await agent('HANG')`) } }

describe('frames of a harness', () => {
  test('that are no JSON or no JSON-RPC get the error of the specification, and the connection goes on', async () => {
    const { rpc } = await connect()
    rpc.write('Debugger listening on ws://127.0.0.1:9229\n\r\n\n')
    rpc.write('[]\n7\n{"id":3,"method":"ping"}\n{"jsonrpc":"2.0","id":null,"method":"ping"}\n')
    rpc.write('{"jsonrpc":"2.0","id":4,"method":"ping","params":[]}\n{"jsonrpc":"2.0","id":5,"result":{}}\n')
    rpc.write(ping('last'))
    await rpc.answer('last')
    expect(rpc.received.map(({ id, error }) => [id, error?.code])).toEqual([
      [null, -32700],
      [null, -32600],
      [null, -32600],
      [3, -32600],
      [null, -32600],
      [4, -32600],
      ['last', undefined],
    ])
  })

  test('are taken whatever the chunks, 10,000 of them in one, in order', async () => {
    const { rpc, socket } = await connect()
    const bytes = Buffer.from(`{"jsonrpc":"2.0","id":"😀","method":"ping"}\r\n`)
    const middle = bytes.indexOf(Buffer.from('😀')) + 2
    socket.write(bytes.subarray(0, middle))
    await new Promise((resolve) => socket.write(bytes.subarray(middle), resolve))
    expect(await rpc.answer('😀')).toMatchObject({ result: {} })
    socket.write(Array.from({ length: 10_000 }, (_, id) => ping(id)).join(''))
    await rpc.answer(9999)
    const ids = rpc.received.filter(({ id }) => typeof id === 'number').map(({ id }) => id)
    expect(ids).toEqual(Array.from({ length: 10_000 }, (_, id) => id))
  })

  test('may have the ids 0 and "", and none that is in use', async () => {
    const { rpc } = await connect()
    for (const id of [0, '']) expect(await rpc.answer(rpc.ask('ping', {}, id))).toMatchObject({ id, result: {} })
    rpc.ask('tools/call', hang, 0)
    rpc.ask('ping', {}, 0)
    const refused = await rpc.find(({ id, error }) => id === 0 && error !== undefined)
    expect(refused.error).toMatchObject({ code: -32600, message: expect.stringContaining('in use') })
    rpc.notify('notifications/cancelled', { requestId: 0 })
    rpc.received.length = 0
    expect(await rpc.answer(rpc.ask('ping', {}, 0))).toMatchObject({ id: 0, result: {} })
  })

  test('that cancel get no answer to what was cancelled, and those that come too late do nothing', async () => {
    const { rpc } = await connect()
    rpc.ask('tools/call', { ...hang, _meta: { progressToken: 't' } }, 'call')
    await rpc.find(({ method }) => method === 'notifications/progress')
    rpc.notify('notifications/cancelled', { requestId: 'call', reason: 'enough' })
    rpc.notify('notifications/cancelled', { requestId: 'never' })
    await waitUntil('the run is cancelled', async () => {
      const { structuredContent } = await rpc.request('tools/call', { name: 'workflow_status' })
      return JSON.stringify(structuredContent).includes('"cancelled"')
    })
    rpc.notify('notifications/cancelled', { requestId: 'call' })
    await rpc.request('ping')
    expect(rpc.received.filter(({ id, method }) => id === 'call' && method === undefined)).toEqual([])
  })

  test('above the limit are refused, without an end they end the connection, and nobody else notices', async () => {
    const [long, endless, other] = await Promise.all([connect(), connect(), connect()])
    long.socket.write(`{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(17 * 1024 * 1024)}"}\n${ping('after')}`)
    const part = Buffer.alloc(1024 * 1024, 120)
    const pour = (): void => {
      while (!endless.socket.destroyed && endless.socket.write(part));
    }
    endless.socket.on('drain', pour)
    pour()
    expect(await long.rpc.answer('after')).toMatchObject({ result: {} })
    expect(long.rpc.received.filter(({ error }) => error)).toMatchObject([{ id: null, error: { code: -32600 } }])
    await endless.rpc.closed
    expect(endless.socket.bytesWritten).toBeLessThan(200 * 1024 * 1024)
    expect(await other.rpc.request('ping')).toEqual({})
  })

  test('are not looked at before the token, in a first line that is whole', async () => {
    for (const line of [
      { token: 'wrong' },
      { client: { workspace: '' } },
      { client: { workspace: '/w', depth: -1 } },
    ]) {
      const socket = fixture().dial({}, line)
      onTestFinished(() => void socket.destroy())
      const rpc = new RpcClient(socket, socket)
      rpc.ask('ping', {}, 1)
      // oxlint-disable-next-line no-await-in-loop -- one knock after the other
      await rpc.closed
      expect(rpc.received).toMatchObject([{ id: -1, error: { code: 'NOT_ALLOWED' } }])
    }
  })

  test('say which methods and tools there are not', async () => {
    const { rpc } = await connect()
    expect((await rpc.answer(rpc.ask('nothing/here'))).error).toMatchObject({ code: -32601 })
    expect((await rpc.answer(rpc.ask('tools/call', { name: 'nothing' }))).error).toMatchObject({ code: -32602 })
    expect((await rpc.answer(rpc.ask('tools/call', {}))).error).toMatchObject({ code: -32602 })
  })
})
