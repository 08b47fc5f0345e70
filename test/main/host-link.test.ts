import { expect, test } from 'vitest'
import type { Host } from '../../src/host/host.ts'
import { linkOtherHost, linkOwnHost, type RemoteHost } from '../../src/main/host-link.ts'
import { HostError, type HostPush } from '../../src/shared/index.ts'

type Listener = (payload: unknown) => void

/** A host's one client, with what was asked of it. */
function fakeClient(answer: (name: string) => unknown) {
  const listeners = new Map<string, Listener>()
  const client = {
    calls: [] as string[],
    closed: false,
    on(name: string, listener: Listener) {
      listeners.set(name, listener)
      return () => listeners.delete(name)
    },
    async call(name: string) {
      client.calls.push(name)
      return answer(name)
    },
    emit: (name: string, payload: unknown) => listeners.get(name)?.(payload),
  }
  return client
}

test('an own host answers calls, pushes what it tells, and is asked for its live runs', async () => {
  const client = fakeClient(() => ({ liveRuns: 2 }))
  const host = {
    openSession: () => ({
      ...client,
      handle: async (id: number, name: string) =>
        name === 'run.get'
          ? { id, ok: false, error: { code: 'NOT_FOUND', message: 'no such run' } }
          : { id, ok: true, value: name },
      close() {},
    }),
    whenQuiet: async () => {},
    dispose: async () => {},
  } as unknown as Host // only what a link uses
  const link = linkOwnHost(host)
  const pushes: HostPush[] = []
  const session = await link.openSession('/work', (push) => pushes.push(push))
  expect(await session.call('host.status', {})).toEqual({ ok: true, value: 'host.status' })
  expect(await session.call('run.get', {})).toEqual({ ok: false, error: { code: 'NOT_FOUND', message: 'no such run' } })
  client.emit('workflows.changed', { workspace: '/work' })
  expect(pushes).toEqual([{ event: 'workflows.changed', payload: { workspace: '/work' } }])
  expect(await link.liveRuns()).toBe(2)
})

function remote(answer: (name: string) => unknown) {
  const client = fakeClient(answer)
  let drop = (): void => {}
  const closed = new Promise<void>((resolve) => {
    drop = resolve
  })
  return { client, drop, host: { ...client, closed, close: () => drop() } as unknown as RemoteHost } // only what a link uses
}

test("another process's host keeps the code of its errors, and its runs are not ours to end", async () => {
  const { host } = remote(() => {
    throw new HostError({ code: 'NOT_FOUND', message: 'no such run' })
  })
  const link = linkOtherHost(async () => host)
  const session = await link.openSession('/work', () => {})
  expect(await session.call('run.get', {})).toEqual({ ok: false, error: { code: 'NOT_FOUND', message: 'no such run' } })
  expect(await link.liveRuns()).toBe(0)
})

test('a host that goes is reported lost, a session that we close is not', async () => {
  const first = remote(() => ({}))
  const second = remote(() => ({}))
  const hosts = [first.host, second.host]
  const link = linkOtherHost(async () => hosts.shift() ?? first.host)
  let lost = false
  void link.lost.then(() => (lost = true))
  ;(await link.openSession('/a', () => {})).close()
  await link.openSession('/b', () => {})
  await new Promise(setImmediate)
  expect(lost).toBe(false)
  second.drop()
  await link.lost
})
