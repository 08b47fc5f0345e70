import { expect, test } from 'vitest'
import type { WindowSession } from '../../../src/main/host-link.ts'
import { RunBoard } from '../../../src/main/runs/run-board.ts'
import type { HostPush, RunRow } from '../../../src/shared/index.ts'
import { makeRow } from '../../support/main/rows.ts'

/** A board on a host that lists these runs; what it asked and told is written down. */
async function setUp(listed: RunRow[] = [], wishes: readonly string[] = []) {
  const steps: string[] = []
  const pushes: ((push: HostPush) => void)[] = []
  const board = new RunBoard({
    async openSession(push) {
      pushes.push(push)
      const session: WindowSession = {
        async call(name, params) {
          if (name === 'approvals.list') return { ok: true, value: { approvals: wishes.map((id) => ({ id })) } }
          // The other calls that a board makes name a run or list them all.
          if (name !== 'run.list') steps.push(`${name} ${(params as { runId: string }).runId}`)
          return { ok: true, value: { runs: listed } }
        },
        close: () => void steps.push('hung up'),
      }
      return session
    },
    onChange: () => void steps.push('changed'),
    onEnded: (row) => void steps.push(`ended ${row.runId} ${row.status}`),
    onAsked: (row, { agent, title }) => void steps.push(`asked ${row.runId} ${agent} ${title}`),
    onWish: ({ id }) => void steps.push(`wish ${id}`),
    onError: (error) => void steps.push(String(error)),
  })
  await board.connect()
  const take = (): string[] => steps.splice(0)
  const push = (event: HostPush['event'], payload: unknown): void => pushes.at(-1)?.({ event, payload })
  return { board, take, push, pushes, row: (row: RunRow) => push('run.row', { row }) }
}

const asked = { type: 'permission-asked', agent: 2, request: 'q', title: 'Write?', options: ['allow-once'] }
const answered = { type: 'permission-answered', agent: 2, request: 'q', answer: 'reject', by: 'user' }

test('runs that are live when it connects are followed from their first event', async () => {
  const { board, take } = await setUp([makeRow()])
  expect(take()).toEqual(['run.watch r1', 'changed'])
  expect(board.live().map(({ row }) => row.runId)).toEqual(['r1'])
})

test('a run is told when it ends, once, and not while it only changes', async () => {
  const { board, take, row } = await setUp()
  take()
  row(makeRow())
  row(makeRow({ agents: 4 }))
  row(makeRow({ status: 'paused' }))
  expect(take()).toEqual(['run.watch r1', 'changed', 'changed'])
  row(makeRow({ status: 'completed' }))
  row(makeRow({ status: 'completed' }))
  expect(take()).toEqual(['run.unwatch r1', 'ended r1 completed', 'changed'])
  expect(board.live()).toEqual([])
})

test('a run that ended before anyone saw it live is no news', async () => {
  const { take, row } = await setUp()
  take()
  row(makeRow({ status: 'interrupted' }))
  expect(take()).toEqual([])
})

test('a question is told when it comes and gone when it is answered', async () => {
  const { board, take, push } = await setUp([makeRow()])
  take()
  push('run.events', { runId: 'r1', events: [asked] })
  expect(take()).toEqual(['asked r1 2 Write?', 'changed'])
  expect(board.live()[0]?.questions).toEqual([{ agent: 2, request: 'q', title: 'Write?' }])
  push('run.events', { runId: 'r1', events: [{ type: 'log', message: 'x' }, answered] })
  expect(take()).toEqual(['changed'])
  expect(board.live()[0]?.questions).toEqual([])
})

test('a question that was answered in the same breath is not told', async () => {
  const { take, push } = await setUp([makeRow()])
  take()
  push('run.events', { runId: 'r1', events: [asked, answered] })
  expect(take()).toEqual([])
})

test('on a new host it begins anew, and what the old one still says is dropped', async () => {
  const { board, take, pushes } = await setUp([makeRow()])
  take()
  await board.connect()
  expect(take()).toEqual(['hung up', 'run.watch r1', 'changed'])
  pushes[0]?.({ event: 'run.row', payload: { row: makeRow({ status: 'cancelled' }) } })
  expect(take()).toEqual([])
})

test('once it is closed nothing is told any more', async () => {
  const { board, take, row } = await setUp([makeRow()])
  board.close()
  take()
  row(makeRow({ status: 'cancelled' }))
  expect(take()).toEqual([])
})

test('wishes from before it connects are counted, not told', async () => {
  const { board, take, push } = await setUp([], ['old'])
  expect(take()).toEqual(['changed'])
  expect(board.wishes).toBe(1)
  push('approval.answered', { id: 'old', runId: 'r1', answer: 'allow' })
  expect(board.wishes).toBe(0)
})

test('a harness’s wish is told and counted until it is answered, whoever does', async () => {
  const { board, take, push } = await setUp()
  take()
  push('approval.asked', { approval: { id: 'a' } })
  expect(take()).toEqual(['wish a', 'changed'])
  expect(board.wishes).toBe(1)
  push('approval.answered', { id: 'a', runId: 'r1', answer: 'withdrawn' })
  expect(take()).toEqual(['changed'])
  expect(board.wishes).toBe(0)
})
