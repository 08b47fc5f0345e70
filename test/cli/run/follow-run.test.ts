import { describe, expect, it } from 'vitest'
import type { HostClient, HostEvents, RunEvent } from '../../../src/shared/index.ts'
import { followRun, readEvents } from '../../../src/cli/run/follow-run.ts'
import { RUN_ID } from '../../support/shared/events.ts'
import { nestedRun } from '../render/sample-runs.ts'

const stored = nestedRun().events

/** A host that stores `stored` and pushes the given batches once a run is watched. */
function hostThatPushes(batches: RunEvent[][]): HostClient {
  const listeners = new Set<(payload: HostEvents['run.events']) => void>()
  return {
    async call(name, params) {
      if (name === 'run.events' && 'fromSeq' in params && 'limit' in params) {
        const from = params.fromSeq - 1
        const events = stored.slice(from, from + params.limit)
        // The fake answers only the calls that following a run needs.
        return { events, lastSeq: stored.length } as never
      }
      if (name === 'run.get') return { row: { runId: RUN_ID, status: 'running' } } as never // what is looked at of it
      setImmediate(() => {
        for (const events of batches) for (const listener of listeners) listener({ runId: RUN_ID, events })
      })
      return { lastSeq: stored.length } as never
    },
    on(name, listener) {
      if (name !== 'run.events') return () => undefined
      // The listener of that name takes this payload.
      const entry = listener as (payload: HostEvents['run.events']) => void
      listeners.add(entry)
      return () => listeners.delete(entry)
    },
  }
}

async function follow(batches: RunEvent[][]): Promise<{ seqs: number[]; status: string }> {
  const seqs: number[] = []
  const state = await followRun(hostThatPushes(batches), RUN_ID, {
    onEvents: (events) => seqs.push(...events.map((event) => event.seq)),
  })
  return { seqs, status: state.status }
}

const everything = { seqs: stored.map((event) => event.seq), status: 'completed' }

describe('followRun', () => {
  it('hands on every event once, in order, until the run has ended', async () => {
    expect(await follow([stored.slice(0, 3), stored.slice(3)])).toEqual(everything)
  })

  it('drops what it has seen already', async () => {
    expect(await follow([stored.slice(0, 5), stored.slice(2, 6), stored.slice(4)])).toEqual(everything)
  })

  it('asks for what it missed', async () => {
    expect(await follow([stored.slice(0, 2), stored.slice(6)])).toEqual(everything)
  })

  it('stops where it is told to', async () => {
    const state = await followRun(hostThatPushes([stored.slice(0, 4), stored.slice(4)]), RUN_ID, {
      onEvents: () => {},
      until: (now) => now.seq >= 4,
    })
    expect(state.seq).toBe(4)
  })

  it('rejects when the host is gone', async () => {
    const lost = Promise.reject(new Error('gone'))
    await expect(followRun(hostThatPushes([]), RUN_ID, { onEvents: () => {}, lost })).rejects.toThrow('gone')
  })

  it('rejects a stream that no run can have', async () => {
    const broken: RunEvent[] = [{ ...stored[1]!, seq: 1 }]
    await expect(follow([broken])).rejects.toThrow('the first event has to be run-started')
  })
})

describe('readEvents', () => {
  it('reads from one number to another', async () => {
    const events = await readEvents(hostThatPushes([]), RUN_ID, 2, 4)
    expect(events.map((event) => event.seq)).toEqual([2, 3, 4])
  })

  it('reads to the end', async () => {
    expect(await readEvents(hostThatPushes([]), RUN_ID, 1)).toEqual(stored)
  })
})
