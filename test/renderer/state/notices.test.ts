import { expect, it } from 'vitest'
import { createNotices } from '../../../src/renderer/state/notices.ts'

function noticesWithClock() {
  const due: (() => void)[] = []
  const notices = createNotices((_ms, then) => due.push(then))
  return { notices, due, texts: () => notices.store.getState().notices.map(({ text }) => text) }
}

it('lets what was done go by itself and keeps what failed until it is dismissed', () => {
  const { notices, due, texts } = noticesWithClock()
  notices.info('saved')
  notices.error('failed')
  for (const then of due) then()
  expect(texts()).toEqual(['failed'])
  notices.dismiss(notices.store.getState().notices[0]?.id ?? 0)
  expect(texts()).toEqual([])
})

it('shows the same failure once, and no more than four messages', () => {
  const { notices, texts } = noticesWithClock()
  for (const text of ['a', 'b', 'a', 'c', 'd', 'e']) notices.error(text)
  expect(texts()).toEqual(['a', 'c', 'd', 'e'])
})
