import { expect, test } from 'vitest'
import { Notifier, type Notice } from '../../../src/main/runs/notifier.ts'
import type { PendingApproval, RunRow } from '../../../src/shared/index.ts'
import { CALLS, makeRow } from '../../support/main/rows.ts'

function setUp(options: { inFront?: string; wanted?: boolean } = {}) {
  const shown: Notice[] = []
  const opened: RunRow[] = []
  const badges: number[] = []
  const wished: string[] = []
  const notifier = new Notifier({
    isInFront: (workspace) => workspace === options.inFront,
    wanted: async () => options.wanted ?? true,
    show: (notice) => void shown.push(notice),
    openRun: (row) => void opened.push(row),
    openWish: ({ id }) => void wished.push(id),
    setBadge: (count) => void badges.push(count),
  })
  return { notifier, shown, opened, wished, badge: () => badges.at(-1) ?? 0 }
}

const question = { request: 'q', agent: 2, title: 'Write a file?' }
const degraded = makeRow({
  status: 'completed',
  degraded: true,
  endedAt: 2_000,
  calls: { ...CALLS, completed: 2, failed: 1 },
})

test('a run that ended out of sight is told with its verdict, and a click opens it', async () => {
  const { notifier, shown, opened, badge } = setUp()
  await notifier.ended(degraded)
  expect(shown).toMatchObject([
    { title: 'two-steps', body: 'Completed with failures: 1 failed of 3 agents · 1 s', urgent: false },
  ])
  expect(badge()).toBe(1)
  shown[0]?.onClick()
  expect(opened).toEqual([degraded])
  expect(badge()).toBe(0)
})

test('an agent that waits for an answer is told urgently', async () => {
  const { notifier, shown } = setUp({ inFront: '/work/b' })
  await notifier.asked(makeRow(), question)
  expect(shown).toMatchObject([
    { title: 'An agent asks for leave', body: 'Agent 2 of two-steps asks: Write a file?', urgent: true },
  ])
})

test('nothing is told of a folder whose window is in front', async () => {
  const { notifier, shown, badge } = setUp({ inFront: '/work/a' })
  await notifier.ended(degraded)
  await notifier.asked(makeRow(), question)
  expect(shown).toEqual([])
  expect(badge()).toBe(0)
})

test('settings that want no notifications still have a badge', async () => {
  const { notifier, shown, badge } = setUp({ wanted: false })
  await notifier.ended(degraded)
  notifier.liveChanged([{ row: makeRow(), questions: [question] }])
  expect(shown).toEqual([])
  expect(badge()).toBe(2)
})

test('the badge forgets ended runs once their folder was looked at, and questions once they are answered', async () => {
  const { notifier, badge } = setUp()
  await notifier.ended(degraded)
  await notifier.ended(makeRow({ id: 'r2', workspace: '/work/b', status: 'cancelled' }))
  notifier.liveChanged([{ row: makeRow({ id: 'r3' }), questions: [question] }])
  expect(badge()).toBe(3)
  notifier.looked('/work/a')
  expect(badge()).toBe(2)
  notifier.liveChanged([])
  expect(badge()).toBe(1)
})

test('a harness’s wish is told while its window is not in front, counts on the badge, and a click opens that', async () => {
  const wish = { id: 'a', clientName: 'codex', workflow: 'audit', workspace: '/work/a' } as PendingApproval // all that is read
  const { notifier, shown, wished, badge } = setUp()
  notifier.liveChanged([], 1)
  await notifier.wished(wish)
  expect(shown).toMatchObject([{ title: 'A harness asks for leave', body: 'codex wants to run audit', urgent: true }])
  expect(badge()).toBe(1)
  shown[0]?.onClick()
  expect(wished).toEqual(['a'])
  const looking = setUp({ inFront: '/work/a' })
  await looking.notifier.wished(wish)
  expect(looking.shown).toEqual([])
})
