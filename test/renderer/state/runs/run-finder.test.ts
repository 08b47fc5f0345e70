import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { asRunId } from '../../../../src/shared/index.ts'
import { createRunFinder, NO_FILTER } from '../../../../src/renderer/state/runs/run-finder.ts'
import { FakeHost, runRow } from '../../../support/renderer/fake-host.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const DEGRADED = runRow({ runId: asRunId('01DEGRADED'), status: 'completed', degraded: true })
const CLEAN = runRow({ runId: asRunId('01CLEAN'), status: 'completed' })

function finderOn(handlers: FakeHost['handlers'] = {}) {
  const host = new FakeHost({
    'run.list': () => ({ runs: [DEGRADED, CLEAN], total: 2, pinned: [] }),
    'run.search': () => ({ hits: [] }),
    ...handlers,
  })
  const finder = createRunFinder(host, '/workspace', () => 10 * 86_400_000)
  return { host, finder, found: () => finder.store.getState().found }
}

describe('finding runs', () => {
  it('asks once for what was typed in one go, in lists and in texts', async () => {
    const { host, finder, found } = finderOn()
    for (const text of ['d', 'de', 'dea', 'dead']) finder.change({ text })
    await vi.runAllTimersAsync()
    expect(host.callsOf('run.list')).toEqual([{ workspace: '/workspace', limit: 200, text: 'dead' }])
    expect(host.callsOf('run.search')).toEqual([{ text: 'dead', limit: 50 }])
    expect(found()?.rows).toHaveLength(2)
  })

  it('narrows by status, workflow and date', async () => {
    const { host, finder } = finderOn()
    finder.change({ status: 'failed', workflow: 'review', period: 'week' })
    await vi.runAllTimersAsync()
    expect(host.callsOf('run.list')).toEqual([
      { workspace: '/workspace', limit: 200, status: ['error'], workflow: 'review', since: 3 * 86_400_000 },
    ])
  })

  it('takes days from and until, each whole and each optional', async () => {
    const { host, finder } = finderOn()
    finder.change({ period: 'range', from: '2026-03-01', to: '2026-03-02' })
    await vi.runAllTimersAsync()
    finder.change({ from: '' })
    await vi.runAllTimersAsync()
    const until = new Date(2026, 2, 3).getTime()
    expect(host.callsOf('run.list')).toEqual([
      { workspace: '/workspace', limit: 200, since: new Date(2026, 2, 1).getTime(), until },
      { workspace: '/workspace', limit: 200, until },
    ])
  })

  it('tells runs that completed with failures from those that completed', async () => {
    const { finder, found } = finderOn()
    finder.change({ status: 'degraded' })
    await vi.runAllTimersAsync()
    expect(found()?.rows).toEqual([DEGRADED])
    finder.change({ status: 'completed' })
    await vi.runAllTimersAsync()
    expect(found()?.rows).toEqual([CLEAN])
  })

  it('shows the whole list again without a filter, whatever answer is still under way', async () => {
    const { finder, found } = finderOn()
    finder.change({ text: 'dead' })
    await vi.advanceTimersByTimeAsync(0)
    finder.change(NO_FILTER)
    await vi.runAllTimersAsync()
    expect(found()).toBeNull()
  })

  it('leaves hits of other workspaces out, and says when a search failed', async () => {
    const elsewhere = runRow({ workspace: '/other' })
    const { finder, found } = finderOn({
      'run.search': () => ({
        hits: [{ runId: elsewhere.runId, kind: 'log', agent: null, seq: 3, snippet: 'dead', row: elsewhere }],
      }),
      'run.list': () => Promise.reject(new Error('the store is away')),
    })
    finder.change({ text: 'dead' })
    await vi.runAllTimersAsync()
    expect(found()).toMatchObject({ hits: [], rows: [], failure: 'the store is away' })
  })
})
