import { expect, test, vi } from 'vitest'
import type { HostLink } from '../../src/main/host-link.ts'
import { keepHost } from '../../src/main/keep-host.ts'

function fakeLink(name: string) {
  let lose = (): void => {}
  const lost = new Promise<void>((resolve) => {
    lose = resolve
  })
  const closed: string[] = []
  const link: HostLink = {
    openSession: async () => ({ call: async () => ({ ok: true, value: name }), close() {} }),
    liveRuns: async () => 0,
    whenQuiet: async () => {},
    lost,
    close: async (reason) => void closed.push(reason),
  }
  return { link, lose, closed }
}

test('windows go on with a new host when the old one is lost', async () => {
  const first = fakeLink('first')
  const second = fakeLink('second')
  const links = [first.link, second.link]
  const onReplaced = vi.fn<() => void>()
  const host = await keepHost({ open: async () => links.shift() ?? second.link, onReplaced, onLost: () => {} })
  const ask = async (): Promise<unknown> => (await host.openSession('/', () => {})).call('host.status', {})
  expect(await ask()).toEqual({ ok: true, value: 'first' })
  first.lose()
  await vi.waitFor(() => expect(onReplaced).toHaveBeenCalledTimes(1))
  expect(await ask()).toEqual({ ok: true, value: 'second' })
  await host.close('done')
  expect([first.closed, second.closed]).toEqual([[], ['done']])
})

test('no new host to be had is told, not hidden', async () => {
  const first = fakeLink('first')
  const links = [first.link]
  const onLost = vi.fn<(error: unknown) => void>()
  const open = async (): Promise<HostLink> => {
    const link = links.shift()
    if (link === undefined) throw new Error('disk full')
    return link
  }
  await keepHost({ open, onReplaced: () => {}, onLost })
  first.lose()
  await vi.waitFor(() => expect(onLost).toHaveBeenCalledWith(new Error('disk full')))
})

test('a host that ends because the app does is not replaced', async () => {
  const first = fakeLink('first')
  const open = vi.fn<() => Promise<HostLink>>(async () => first.link)
  const host = await keepHost({ open, onReplaced: () => {}, onLost: () => {} })
  await host.close('done')
  first.lose()
  await new Promise(setImmediate)
  expect(open).toHaveBeenCalledTimes(1)
})
