import { expect, test } from 'vitest'
import { createBranches } from '../../../../src/renderer/state/branches/branches.ts'
import { createNotices } from '../../../../src/renderer/state/notices.ts'
import { asRunId, HostError, type AgentBranch } from '../../../../src/shared/index.ts'
import { FakeHost } from '../../../support/renderer/fake-host.ts'

const branch = (runId: string, merged = false): AgentBranch => ({
  name: `weft/${runId}/1`,
  runId,
  agent: 1,
  subject: 'change it',
  commit: 'c'.repeat(40),
  base: 'b'.repeat(40),
  committedAt: 0,
  merged,
  folder: null,
})

function make(handlers: FakeHost['handlers']) {
  const host = new FakeHost()
  Object.assign(host.handlers, handlers)
  const notices = createNotices(() => undefined)
  return { branches: createBranches(host, notices), said: () => notices.store.getState().notices.at(-1) }
}

test('a run has its own branches and those that its rows name', async () => {
  const all = [branch('MINE'), branch('EARLIER'), branch('OTHER')]
  const left = ['MINE', 'OTHER'].map((runId) => ({ path: `/w/${runId}`, runId, agent: 2, reason: 'changed' }))
  const { branches } = make({
    'branches.list': () => ({ top: '/w', current: 'main', branches: all, total: 3, left }),
  })
  const list = await branches.list('/w', asRunId('MINE'), ['weft/EARLIER/1'])
  expect(list.branches.map(({ runId }) => runId)).toEqual(['MINE', 'EARLIER'])
  expect(list.left).toMatchObject([{ runId: 'MINE' }])
})

test('a merge that conflicts is a failure that names the files', async () => {
  const { branches, said } = make({
    'branches.merge': ({ branch: name }) => ({
      branch: name,
      outcome: 'conflicts',
      into: 'main',
      head: '',
      conflicts: ['a.txt', 'b.txt'],
    }),
  })
  expect(await branches.merge('/w', 'weft/R/1')).toBe(false)
  expect(said()).toMatchObject({
    kind: 'error',
    text: 'weft/R/1 was not merged: 2 files changed on both sides: a.txt, b.txt. Nothing was changed in main; merge it by hand to resolve that.',
  })
})

test('what is not merged is dropped as such, and a refusal is said', async () => {
  const asked: unknown[] = []
  const { branches, said } = make({
    'branches.drop': (params) => {
      asked.push(params.unmerged)
      if (asked.length > 1) throw new HostError({ code: 'CONFLICT', message: 'its folder holds changes' })
      return { branch: params.branch, commit: 'c'.repeat(40), merged: false }
    },
  })
  expect(await branches.drop('/w', branch('R'))).toBe(true)
  expect(said()).toMatchObject({ kind: 'info', text: 'Dropped weft/R/1; it was at cccccccccc.' })
  expect(await branches.drop('/w', branch('R', true))).toBe(false)
  expect(said()).toMatchObject({ kind: 'error', text: 'weft/R/1 was not dropped: its folder holds changes' })
  expect(asked).toEqual([true, false])
})
