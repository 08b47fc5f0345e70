import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { HostClient, HostStatus } from '../../../src/shared/index.ts'
import { whenDeserted, whenIdle } from '../../../src/cli/host/when-idle.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A host whose status changes as the test says, and whether `wait` is over. */
function watchedHost(wait: (client: HostClient) => Promise<void>, clients = 1, liveRuns = 0) {
  const listeners = new Set<(status: HostStatus) => void>()
  const status = { pid: 1, version: '1', dataDir: '/', runningAgents: 0, clients, liveRuns }
  let ended = false
  const client: HostClient = {
    // The fake answers host.status, the only call that waiting makes.
    call: async () => ({ ...status }) as never,
    on(_name, listener) {
      // Only `host.status` is listened to.
      const entry = listener as (status: HostStatus) => void
      listeners.add(entry)
      return () => listeners.delete(entry)
    },
  }
  void wait(client).then(() => (ended = true))
  return {
    become(nowClients: number, nowLiveRuns: number): void {
      for (const tell of listeners) tell({ ...status, clients: nowClients, liveRuns: nowLiveRuns })
    },
    async after(ms: number): Promise<boolean> {
      await vi.advanceTimersByTimeAsync(ms)
      return ended
    },
  }
}

const idle = () => watchedHost((client) => whenIdle(client, 1000))
const deserted = (clients: number, liveRuns: number) =>
  watchedHost((client) => whenDeserted(client, 1000), clients, liveRuns)

describe('whenIdle', () => {
  it('waits for ever for the first client', async () => {
    const host = idle()
    host.become(1, 0)
    expect(await host.after(10_000)).toBe(false)
  })

  it('ends some time after the last client has left', async () => {
    const host = idle()
    host.become(2, 0)
    host.become(1, 0)
    expect(await host.after(999)).toBe(false)
    expect(await host.after(1)).toBe(true)
  })

  it('goes on while a run is live, and counts from its end', async () => {
    const host = idle()
    host.become(2, 1)
    host.become(1, 1)
    expect(await host.after(5000)).toBe(false)
    host.become(1, 0)
    expect(await host.after(999)).toBe(false)
    expect(await host.after(1)).toBe(true)
  })

  it('goes on when someone comes back', async () => {
    const host = idle()
    host.become(2, 0)
    host.become(1, 0)
    await host.after(900)
    host.become(2, 0)
    expect(await host.after(5000)).toBe(false)
  })
})

describe('whenDeserted', () => {
  it('is at once where there is nobody else', async () => {
    expect(await deserted(1, 0).after(0)).toBe(true)
  })

  it('is when the last run has ended and its client has left', async () => {
    const host = deserted(2, 1)
    expect(await host.after(60_000)).toBe(false)
    host.become(2, 0)
    expect(await host.after(999)).toBe(false)
    host.become(1, 0)
    expect(await host.after(0)).toBe(true)
  })

  it('gives a client that runs nothing a while to start a run', async () => {
    const host = deserted(2, 0)
    expect(await host.after(999)).toBe(false)
    host.become(2, 1)
    expect(await host.after(60_000)).toBe(false)
    host.become(2, 0)
    expect(await host.after(1000)).toBe(true)
  })
})
