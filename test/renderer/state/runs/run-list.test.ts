import { expect, it } from 'vitest'
import { createRunList, sortRows, sumLive } from '../../../../src/renderer/state/runs/run-list.ts'
import { asRunId } from '../../../../src/shared/index.ts'
import { FakeHost, runRow } from '../../../support/renderer/fake-host.ts'

const row = (id: string, overrides: Parameters<typeof runRow>[0] = {}) => runRow({ runId: asRunId(id), ...overrides })
const ids = (rows: readonly { runId: string }[]): string[] => rows.map(({ runId }) => runId)

it('puts live runs first, the newest first in both halves', () => {
  const rows = [
    row('old', { status: 'completed', startedAt: 1 }),
    row('paused', { status: 'paused', startedAt: 2 }),
    row('new', { status: 'error', startedAt: 4 }),
    row('running', { startedAt: 3 }),
  ]
  expect(ids(sortRows(rows))).toEqual(['running', 'paused', 'new', 'old'])
})

it('takes up pushed rows of its workspace, new and known', async () => {
  const host = new FakeHost({ 'run.list': () => ({ runs: [row('a')], total: 1, pinned: [] }) })
  const list = createRunList(host, '/workspace')
  await list.refresh()
  host.push('run.row', { row: row('b', { startedAt: 5 }) })
  host.push('run.row', { row: row('a', { status: 'completed' }) })
  host.push('run.row', { row: row('c', { workspace: '/elsewhere' }) })
  const { rows, total } = list.store.getState()
  expect({ ids: ids(rows), total, status: list.find(asRunId('a'))?.status }).toEqual({
    ids: ['b', 'a'],
    total: 2,
    status: 'completed',
  })
})

it('says why the list is not there', async () => {
  const list = createRunList(new FakeHost(), '/workspace')
  await list.refresh()
  expect(list.store.getState().load).toEqual({ kind: 'failed', message: 'the fake host has no run.list' })
})

it('adds up what live runs have cost', () => {
  expect(sumLive([row('a', { outputTokens: 5 }), row('b', { outputTokens: 7, status: 'completed' })])).toEqual({
    runs: 1,
    outputTokens: 5,
  })
})
