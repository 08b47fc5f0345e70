import { describe, expect, it } from 'vitest'
import { EMPTY_RUN, foldRunAll } from '../../../../src/shared/index.ts'
import { Moments } from '../../../../src/renderer/state/history/moments.ts'
import { createHistory } from '../../../../src/renderer/state/history/history.ts'
import { RUN_ID } from '../../../support/shared/events.ts'
import { bigRun, liveReview } from '../../../support/renderer/sample-run.ts'

describe('the moments of a run', () => {
  it('are the fold of what had happened by then, wherever one goes next', () => {
    const { events } = bigRun(1000, 300, RUN_ID)
    const moments = new Moments(events)
    const { start, end } = moments.span
    for (const share of [0.9, 0.1, 0.5, 1, 0]) {
      const time = start + share * (end - start)
      const expected = foldRunAll(
        EMPTY_RUN,
        events.filter((event) => event.at <= time),
      )
      expect(moments.at(time)).toEqual(expected)
    }
  })

  it('are empty before the first event and whole after the last', () => {
    const { events } = liveReview(1000)
    const moments = new Moments(events)
    expect(moments.at(0)).toEqual(EMPTY_RUN)
    expect(moments.at(1e9).seq).toBe(events.length)
    expect(new Moments([]).at(5)).toEqual(EMPTY_RUN)
  })
})

describe('the history of a run', () => {
  it('is read once, and shows where the slider is by then', async () => {
    const { events } = liveReview(1000)
    let reads = 0
    const history = createHistory(async () => {
      reads++
      return events
    })
    const first = history.seek(1500)
    const second = history.seek(9000)
    await Promise.all([first, second])
    expect(reads).toBe(1)
    expect(history.store.getState().at).toBe(9000)
    expect(history.store.getState().state?.agents[1]?.status).toBe('completed')
    history.leave()
    expect(history.store.getState()).toEqual({ at: null, state: null, failure: null })
  })

  it('says why it can not be read, and is read again the next time', async () => {
    let fails = true
    const history = createHistory(() =>
      fails ? Promise.reject(new Error('gone')) : Promise.resolve(liveReview(0).events),
    )
    await history.seek(10)
    expect(history.store.getState()).toEqual({ at: null, state: null, failure: 'gone' })
    fails = false
    await history.seek(10)
    expect(history.store.getState().state?.seq).toBeGreaterThan(0)
  })
})
