import { once } from 'node:events'
import { WebSocket } from 'ws'
import { describe, expect, onTestFinished, test } from 'vitest'
import { shareHost } from '../../support/host/make-host.ts'
import { waitUntil } from '../../support/host/wait-until.ts'
import { connectWeb, getCookie, openDoor, type TestDoor } from '../../support/host/web-client.ts'

const shared = shareHost()

async function makeDoor(heartbeatMs?: number) {
  const { host, folders, session } = shared()
  return { door: await openDoor(host, folders, heartbeatMs), folders, host, session }
}

/** The status with which an upgrade is refused; 101 when it is not. */
async function tryUpgrade(door: TestDoor, headers: Record<string, string>, path = '/api'): Promise<number | undefined> {
  const socket = new WebSocket(`ws://127.0.0.1:${door.port}${path}`, { headers })
  onTestFinished(() => socket.terminate())
  return new Promise((resolve) => {
    socket.once('open', () => resolve(101))
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode))
    socket.once('error', () => undefined)
  })
}

const BAD = { id: -1, ok: false, error: { code: 'BAD_REQUEST', message: expect.any(String) } }

describe('a WebSocket of the browser door', () => {
  test('is opened only with the cookie, the own origin and the own host name', async () => {
    const { door } = await makeDoor()
    const Cookie = await getCookie(door)
    const Origin = `http://127.0.0.1:${door.port}`
    expect(await tryUpgrade(door, { Cookie, Origin })).toBe(101)
    expect(await tryUpgrade(door, { Origin })).toBe(401)
    expect(await tryUpgrade(door, { Cookie: 'weft=1', Origin })).toBe(401)
    expect(await tryUpgrade(door, { Cookie })).toBe(403)
    expect(await tryUpgrade(door, { Cookie, Origin: 'https://evil.example' })).toBe(403)
    expect(await tryUpgrade(door, { Cookie, Origin: `http://127.0.0.1:${door.port + 1}` })).toBe(403)
    expect(await tryUpgrade(door, { Cookie, Origin: 'http://evil.example', Host: 'evil.example' })).toBe(403)
    expect(await tryUpgrade(door, { Cookie, Origin }, '/other')).toBe(404)
    expect(await tryUpgrade(door, { Origin }, `/api?token=${door.token}`)).toBe(401)
  })

  test('speaks HostApi for the workspace that it was opened for', async () => {
    const { door, folders } = await makeDoor()
    const client = await connectWeb(door)
    expect(await client.request('host.hello', { apiVersion: 1, client: { kind: 'browser' } })).toMatchObject({
      ok: true,
      value: { apiVersion: 1, pid: process.pid },
    })
    expect(await client.request('workspace.initial', {})).toEqual({
      id: 2,
      ok: true,
      value: { workspace: folders.workspace, open: `${folders.workspace}/first.js` },
    })
  })

  test('answers bad frames and goes on', async () => {
    const { door } = await makeDoor()
    const client = await connectWeb(door)
    const bad = [
      '',
      '{"id":1',
      '[]',
      '"x"',
      '{"id":1}',
      '{"id":"1","call":"x"}',
      '{"id":-1,"call":"x"}',
      '{"id":1.5,"call":"x"}',
    ]
    for (const frame of bad) {
      client.socket.send(frame)
      expect(await client.nextReply()).toEqual(BAD)
    }
    client.socket.send(Buffer.from([1, 2, 3]), { binary: true })
    expect(await client.nextReply()).toEqual(BAD)
    expect(await client.request('no.such', {})).toMatchObject({ id: 1, ok: false, error: { code: 'BAD_REQUEST' } })
    expect(await client.request('host.status', {})).toMatchObject({ ok: true })
  })

  test('is closed with a reason when a frame is over the limit, and nobody else notices', async () => {
    const { door } = await makeDoor()
    const other = await connectWeb(door)
    const client = await connectWeb(door)
    const closed = once(client.socket, 'close')
    client.socket.send('x'.repeat(16 * 1024 * 1024 + 1))
    expect((await closed)[0]).toBe(1009)
    expect(await other.request('host.status', {})).toMatchObject({ ok: true })
  })

  test('takes a frame just under the limit', async () => {
    const { door } = await makeDoor()
    const client = await connectWeb(door)
    const text = 'x'.repeat(16 * 1024 * 1024 - 200)
    const reply = await client.request('workflows.save', { path: '/elsewhere/x.js', text, baseHash: null })
    expect(reply).toMatchObject({ ok: false, error: { code: 'NOT_ALLOWED' } })
  })

  test('refuses an id that is still open, and takes it again afterwards', async () => {
    const { door } = await makeDoor()
    const client = await connectWeb(door)
    const frame = JSON.stringify({ id: 0, call: 'backends.list', params: {} })
    client.socket.send(frame)
    client.socket.send(frame)
    const replies = [await client.nextReply(), await client.nextReply()]
    expect(replies.map(({ id, ok }) => [id, ok])).toEqual(
      expect.arrayContaining([
        [0, false],
        [0, true],
      ]),
    )
    client.socket.send(frame)
    expect(await client.nextReply()).toMatchObject({ id: 0, ok: true })
  })

  test('leaves no session behind when it goes', async () => {
    const { door, session } = await makeDoor()
    const client = await connectWeb(door)
    await client.request('host.status', {})
    expect((await session.call('host.status', {})).clients).toBe(2)
    client.socket.terminate()
    await waitUntil('the session of the lost client is closed', async () => {
      return (await session.call('host.status', {})).clients === 1
    })
  })

  test('is ended when it no longer answers pings', async () => {
    const { door } = await makeDoor(20)
    const living = await connectWeb(door)
    const silent = await connectWeb(door)
    // A client that hangs reads nothing, so it answers nothing.
    silent.socket.pause()
    const session = await waitUntil('the silent client is gone', async () => {
      const reply = await living.request('host.status', {})
      return reply.ok && (reply.value as { clients: number }).clients === 2 && reply
    })
    expect(session.ok).toBe(true)
  })

  test('is told that the host ends', async () => {
    const { door } = await makeDoor()
    const client = await connectWeb(door)
    const closed = once(client.socket, 'close')
    await door.close()
    expect((await closed)[0]).toBe(1001)
  })
})
