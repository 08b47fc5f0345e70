import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { HostClient, HostStatus } from '../../../src/shared/index.ts'
import { whenIdle } from '../../../src/cli/host/when-idle.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A host whose status changes as the test says. */
function watchedHost() {
  let told: ((status: HostStatus) => void) | undefined
  let ended = false
  const client: Pick<HostClient, 'on'> = {
    on(_name, listener) {
      // Only `host.status` is listened to.
      told = listener as (status: HostStatus) => void
      return () => {}
    },
  }
  void whenIdle(client as HostClient, 1000).then(() => (ended = true))
  return {
    become: (clients: number, liveRuns: number) =>
      told?.({ pid: 1, version: '1', dataDir: '/', runningAgents: 0, clients, liveRuns }),
    async after(ms: number): Promise<boolean> {
      await vi.advanceTimersByTimeAsync(ms)
      return ended
    },
  }
}

describe('whenIdle', () => {
  it('waits for ever for the first client', async () => {
    const host = watchedHost()
    host.become(1, 0)
    expect(await host.after(10_000)).toBe(false)
  })

  it('ends some time after the last client has left', async () => {
    const host = watchedHost()
    host.become(2, 0)
    host.become(1, 0)
    expect(await host.after(999)).toBe(false)
    expect(await host.after(1)).toBe(true)
  })

  it('goes on while a run is live, and counts from its end', async () => {
    const host = watchedHost()
    host.become(2, 1)
    host.become(1, 1)
    expect(await host.after(5000)).toBe(false)
    host.become(1, 0)
    expect(await host.after(999)).toBe(false)
    expect(await host.after(1)).toBe(true)
  })

  it('goes on when someone comes back', async () => {
    const host = watchedHost()
    host.become(2, 0)
    host.become(1, 0)
    await host.after(900)
    host.become(2, 0)
    expect(await host.after(5000)).toBe(false)
  })
})
