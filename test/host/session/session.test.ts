import { describe, expect, test } from 'vitest'
import { API_VERSION } from '../../../src/shared/index.ts'
import { makeHost } from '../../support/host/make-host.ts'

describe('a session', () => {
  test('greets clients of its own version only', async () => {
    const { session } = await makeHost()
    const client = { kind: 'test' } as const
    expect(await session.call('host.hello', { apiVersion: API_VERSION, client })).toEqual({
      apiVersion: API_VERSION,
      hostVersion: '0.0.0-test',
      pid: process.pid,
    })
    await expect(session.call('host.hello', { apiVersion: API_VERSION + 1, client })).rejects.toMatchObject({
      code: 'VERSION_MISMATCH',
    })
  })

  test('answers a frame whatever is in it, and never rejects', async () => {
    const { session } = await makeHost()
    expect(await session.handle(1, 'host.statu', {})).toEqual({
      id: 1,
      ok: false,
      error: { code: 'BAD_REQUEST', message: 'There is no call "host.statu": did you mean "host.status"?' },
    })
    for (const name of ['', '__proto__', 'toString', 'constructor']) {
      expect(await session.handle(2, name, {})).toMatchObject({ ok: false, error: { code: 'BAD_REQUEST' } })
    }
    for (const params of [undefined, null, 1, [], 'x', { more: 1 }]) {
      expect(await session.handle(3, 'host.status', params)).toMatchObject({
        ok: false,
        error: { code: 'BAD_REQUEST', violations: [expect.any(String)] },
      })
    }
    expect(await session.handle(4, 'host.status', {})).toMatchObject({ id: 4, ok: true, value: { clients: 1 } })
  })

  test('tells of a fault that nobody foresaw, and the host logs it', async () => {
    const { session, folders, entries } = await makeHost()
    // A NUL character is refused by the file system in its own way.
    const reply = await session.handle(1, 'workflows.read', { path: `${folders.workspace}/a\0.js` })
    expect(reply).toMatchObject({
      ok: false,
      error: { code: 'INTERNAL', message: expect.stringContaining('null bytes') },
    })
    expect(entries).toContainEqual({
      level: 'error',
      message: 'workflows.read failed',
      fields: { error: expect.any(Error) },
    })
  })

  test('contains a listener that throws', async () => {
    const { session, host, entries } = await makeHost()
    const told = new Promise((resolve) => {
      session.on('host.status', () => {
        throw new Error('a bad listener')
      })
      session.on('host.status', resolve)
    })
    host.openSession({ kind: 'test', workspace: '/' })
    expect(await told).toMatchObject({ clients: 2 })
    expect(entries).toContainEqual({
      level: 'error',
      message: 'A listener for host.status failed',
      fields: { error: new Error('a bad listener') },
    })
  })

  test('tells a listener no longer once it has ended', async () => {
    const { session, host } = await makeHost()
    let first = 0
    const end = session.on('host.status', () => first++)
    end()
    const told = new Promise((resolve) => session.on('host.status', resolve))
    host.openSession({ kind: 'test', workspace: '/' })
    await told
    expect(first).toBe(0)
  })

  test('is of no use after it was closed, and others go on', async () => {
    const { session, host, folders } = await makeHost()
    const other = host.openSession({ kind: 'test', workspace: folders.workspace })
    session.close()
    session.close()
    await expect(session.call('host.status', {})).rejects.toMatchObject({ code: 'CLOSED' })
    expect((await other.call('host.status', {})).clients).toBe(1)
  })

  test('knows the folder and the file that it was opened for', async () => {
    const { session } = await makeHost({ identity: { workspace: '/some', open: '/some/a.js' } })
    expect(await session.call('workspace.initial', {})).toEqual({ workspace: '/some', open: '/some/a.js' })
  })
})
