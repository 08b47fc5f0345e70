import { describe, expect, it } from 'vitest'
import { EMPTY_RUN, foldRunAll } from '../../../../src/shared/index.ts'
import { foldGaps, type AttemptGap } from '../../../../src/renderer/state/runs/attempt-gaps.ts'
import {
  axisTicks,
  buildTimeline,
  concurrencyOf,
  formatTick,
  type TimelineBar,
} from '../../../../src/renderer/state/timeline/timeline.ts'
import { buildRunTree } from '../../../../src/renderer/state/tree/run-tree.ts'
import { liveReview } from '../../../support/renderer/sample-run.ts'

const START = 5000

function timeline() {
  const { events } = liveReview(START)
  const state = foldRunAll(EMPTY_RUN, events)
  const gaps = new Map<number, readonly AttemptGap[]>()
  for (const event of events) {
    if (event.type === 'agent-attempt-failed' || event.type === 'agent-started')
      gaps.set(event.agent, foldGaps(gaps.get(event.agent) ?? [], event))
  }
  return buildTimeline(buildRunTree(state, 'running'), START, gaps as never)
}

describe('a timeline', () => {
  it('has the agents under the bands of their phases, in the order in which they began', () => {
    expect(timeline().map(({ level, title }) => `${level} ${title}`)).toEqual([
      '1 Discover',
      '2 list changed files',
      '1 Review',
      '2 review src/auth/session.ts',
      '2 review src/auth/token.ts',
      '2 review src/http/router.ts',
      '2 review src/http/cors.ts',
      '2 review src/db/pool.ts',
      '1 Verify',
      '2 ▸ adversarial-verify',
      '3 Refute',
      '4 refute: session id survives log-in',
      '4 refute: pool per request',
      '1 Report',
    ])
  })

  it('has waits, attempts and replays', () => {
    const bars = timeline().filter((row): row is TimelineBar => row.kind === 'agent')
    const bar = (title: string) => bars.find((one) => one.title === title)
    expect(bar('list changed files')).toMatchObject({ status: 'replayed', queued: 20, start: 60, end: 60 })
    expect(bar('review src/auth/token.ts')).toMatchObject({ attempts: 2, gaps: [{ from: 7300, to: 8400 }] })
    expect(bar('review src/db/pool.ts')).toMatchObject({ queued: 90, start: 12_100, end: undefined })
    expect(bar('refute: pool per request')).toMatchObject({ start: undefined, end: undefined })
  })

  it('knows how many were at work at once, replays aside', () => {
    expect(concurrencyOf(timeline(), 16_000, 8)).toEqual([4, 4, 4, 4, 3, 3, 3, 3])
    expect(concurrencyOf([], 0, 2)).toEqual([0, 0])
  })
})

describe('the axis', () => {
  it('has round times, no more than fit', () => {
    expect(axisTicks(16_000, 8)).toEqual([0, 2000, 4000, 6000, 8000, 10_000, 12_000, 14_000, 16_000])
    expect(axisTicks(90_000, 4)).toEqual([0, 30_000, 60_000, 90_000])
    expect(axisTicks(10 * 86_400_000, 5)).toHaveLength(6)
  })

  it('writes them in few characters', () => {
    expect([0, 250, 5000, 90_000, 3_600_000].map(formatTick)).toEqual(['0', '250 ms', '5 s', '1:30', '1:00:00'])
  })
})
