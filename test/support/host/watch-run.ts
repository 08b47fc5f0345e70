// Following a run as a client does, to its end.

import {
  EMPTY_RUN,
  foldRunAll,
  type HostClient,
  type RunEvent,
  type RunId,
  type RunState,
} from '../../../src/shared/index.ts'

export interface WatchedRun {
  /** All events so far, in the order in which they came. */
  events: RunEvent[]
  /** Resolves when `found` answers true for the fold of what came; looks again at each batch. */
  until(found: (state: RunState) => boolean): Promise<RunState>
  ended: Promise<RunState>
  stop(): void
}

/** Watches from `fromSeq`; folds only from 1. */
export async function watchRun(client: HostClient, runId: RunId, fromSeq = 1): Promise<WatchedRun> {
  const events: RunEvent[] = []
  const waiting = new Set<() => void>()
  const stop = client.on('run.events', (batch) => {
    if (batch.runId !== runId) return
    events.push(...batch.events)
    for (const look of waiting) look()
  })
  const until = (found: (state: RunState) => boolean): Promise<RunState> =>
    new Promise((resolve) => {
      const look = (): void => {
        const state = foldRunAll(EMPTY_RUN, events)
        if (!found(state)) return
        waiting.delete(look)
        resolve(state)
      }
      waiting.add(look)
      look()
    })
  await client.call('run.watch', { runId, fromSeq })
  return {
    events,
    until,
    get ended() {
      return until((state) => state.endedAt !== undefined)
    },
    stop,
  }
}
