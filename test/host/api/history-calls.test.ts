import { beforeAll, describe, expect, it } from 'vitest'
import type { HostPush, RunId } from '../../../src/shared/index.ts'
import { runToEnd, wishOf } from '../../support/host/counting.ts'
import { shareHost, useEchoAgent } from '../../support/host/make-host.ts'
import { script } from '../../support/host/scripts.ts'
import { waitUntil } from '../../support/host/wait-until.ts'
import { watchRun } from '../../support/host/watch-run.ts'

const shared = shareHost(useEchoAgent)
const UNKNOWN = '01JZZZZZZZZZZZZZZZZZZZZZZZ'

async function run(body: string, more: object = {}): Promise<RunId> {
  const { session, folders } = shared()
  return (await runToEnd(session, { ...wishOf(folders, body), ...more })).runId
}

let old: RunId
let next: RunId
let failed: RunId

beforeAll(async () => {
  old = await run(
    "const [a] = await parallel([() => agent('zebra', { label: 'a' }), () => agent('b'), () => agent('WAIT:1 c')])\nawait agent('gone')\nreturn { a, same: [1, 2], 'x/y': 1 }",
    { title: 'Überblick', args: { depth: 1 } },
  )
  next = await run(
    "const [a] = await parallel([() => agent('zebras', { label: 'a' }), () => agent('new'), () => agent('b'), () => agent('WAIT:1 c')])\nreturn { a, same: [1, 3], more: true }",
    { args: { depth: 2 }, budgetTokens: 5000 },
  )
  failed = await run("throw new Error('The kettle is on fire')")
})

describe('run.list', () => {
  it('finds runs by a part of title, id or error in any case, beyond ASCII too', async () => {
    const { session } = shared()
    const find = async (text: string): Promise<RunId[]> =>
      (await session.call('run.list', { text })).runs.map(({ runId }) => runId)
    expect(await find('überBLICK')).toEqual([old])
    expect(await find('KETTLE is')).toEqual([failed])
    expect(await find(next.slice(-8).toLowerCase())).toEqual([next])
    expect(await find('test')).toHaveLength(3)
    expect(await find('100%_')).toEqual([])
  })

  it('narrows by time and by who began it, and counts what is left', async () => {
    const { session } = shared()
    const { row } = await session.call('run.get', { runId: next })
    const since = await session.call('run.list', { since: row.startedAt, startedBy: 'test' })
    expect(since.runs.map(({ runId }) => runId)).toEqual([failed, next])
    expect(await session.call('run.list', { until: row.startedAt })).toMatchObject({ total: 1, runs: [{ runId: old }] })
    expect(await session.call('run.list', { startedBy: 'harness' })).toEqual({ runs: [], total: 0, pinned: [] })
  })
})

describe('run.search', () => {
  it('finds prompts and results, each with the row of its run', async () => {
    const { session } = shared()
    await waitUntil(
      'the index has the text',
      async () => (await session.call('run.search', { text: 'zebra' })).hits.length === 6,
    )
    const { hits } = await session.call('run.search', { text: 'zebras' })
    expect(hits.map(({ runId, kind, agent, row }) => [runId, kind, agent, row.runId])).toEqual(
      expect.arrayContaining([
        [next, 'prompt', 1, next],
        [next, 'result', 1, next],
        [next, 'return', null, next],
      ]),
    )
    expect((await session.call('run.search', { text: 'zebra', limit: 1 })).hits).toHaveLength(1)
  })
})

describe('run.compare', () => {
  it('tells what changed in the inputs, the calls and the result', async () => {
    const { session } = shared()
    const found = await session.call('run.compare', { a: old, b: next })
    expect(found).toMatchObject({ a: { runId: old }, b: { runId: next }, script: { same: false } })
    expect(found.inputs).toEqual([
      { field: 'args', before: '{"depth":1}', after: '{"depth":2}' },
      { field: 'budgetTokens', before: null, after: '5000' },
    ])
    expect(found.result).toEqual({
      same: false,
      changes: [
        { pointer: '/a', before: '"zebra!"', after: '"zebras!"' },
        { pointer: '/same/1', before: '2', after: '3' },
        { pointer: '/x~1y', before: '1', after: null },
        { pointer: '/more', before: null, after: 'true' },
      ],
      more: 0,
    })
    expect(found.totals).toMatchObject({
      a: { agents: 4, calls: { completed: 4 } },
      b: { agents: 4, outputTokens: 18 },
    })
  })

  it('matches calls by what they ask before by where they stand', async () => {
    const { session } = shared()
    const { calls, fates } = await session.call('run.compare', { a: old, b: next })
    expect(calls.map(({ fate, a, b }) => [fate, a, b])).toEqual([
      ['changed', 1, 1],
      ['added', null, 2],
      ['moved', 2, 3],
      ['moved', 3, 4],
      ['removed', 4, null],
    ])
    expect(fates).toEqual({ same: 0, changed: 1, added: 1, removed: 1, moved: 2 })
    expect(calls[0]).toMatchObject({
      label: 'a',
      changes: [
        { field: 'prompt', before: 'zebra', after: 'zebras' },
        { field: 'result', before: 'zebra!', after: 'zebras!' },
      ],
      outputTokens: { a: 5, b: 6 },
      status: { a: 'completed', b: 'completed' },
    })
    expect(calls[2]).toMatchObject({ movedFrom: expect.stringContaining('parallel'), changes: [] })
  })

  it('finds a resumed run the same as the run that it answers from', async () => {
    const { session } = shared()
    const { runId } = await runToEnd(session, { resumeFromRunId: old })
    const found = await session.call('run.compare', { a: old, b: runId })
    expect(found).toMatchObject({ script: { same: true }, inputs: [], result: { same: true, changes: [] } })
    expect(found.fates).toEqual({ same: 4, changed: 0, added: 0, removed: 0, moved: 0 })
    expect(found.calls[0]?.status).toEqual({ a: 'completed', b: 'replayed' })
    await session.call('run.delete', { runIds: [runId] })
  })

  it('is refused for a run that nobody knows', async () => {
    const call = shared().session.call('run.compare', { a: old, b: UNKNOWN })
    await expect(call).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('run.pin and run.delete', () => {
  it('tell every client, and the list says what is pinned', async () => {
    const { session, host, folders } = shared()
    const other = host.openSession({ kind: 'test', workspace: folders.workspace })
    const told: HostPush[] = []
    other.on('run.pinned', (payload) => told.push({ event: 'run.pinned', payload }))
    other.on('run.deleted', (payload) => told.push({ event: 'run.deleted', payload }))
    const runId = await run('return 1')
    await session.call('run.pin', { runId, pinned: true })
    expect((await session.call('run.list', {})).pinned).toEqual([runId])
    await session.call('run.pin', { runId, pinned: false })
    expect((await session.call('run.list', {})).pinned).toEqual([])
    await session.call('run.delete', { runIds: [runId, runId] })
    await expect(session.call('run.get', { runId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(told).toEqual([
      { event: 'run.pinned', payload: { runId, pinned: true } },
      { event: 'run.pinned', payload: { runId, pinned: false } },
      { event: 'run.deleted', payload: { runIds: [runId] } },
    ])
    other.close()
  })

  it('delete nothing when one of the runs is live or unknown', async () => {
    const { session, folders } = shared()
    const { runId } = await session.call('run.start', {
      workspace: folders.workspace,
      source: { kind: 'text', text: script('slow', "return await agent('WAIT:60000 x')") },
    })
    const watched = await watchRun(session, runId)
    const live = session.call('run.delete', { runIds: [failed, runId] })
    await expect(live).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining(runId) })
    const unknown = session.call('run.delete', { runIds: [failed, UNKNOWN] })
    await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await session.call('run.get', { runId: failed })).toMatchObject({ row: { runId: failed } })
    await session.call('run.cancel', { runId })
    await watched.ended
    watched.stop()
  })

  it('pin refuses a run that nobody knows', async () => {
    const call = shared().session.call('run.pin', { runId: UNKNOWN, pinned: true })
    await expect(call).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
