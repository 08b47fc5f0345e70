// The moment of a finished run that is looked at, if it is not its end.

import { createStore, type StoreApi } from 'zustand/vanilla'
import type { AgentNumber, RunEvent, RunState } from '../../../shared/index.ts'
import { messageOf } from '../message-of.ts'
import type { Transcript } from '../runs/transcript.ts'
import { Moments } from './moments.ts'

export interface HistoryState {
  /** Milliseconds since the epoch; null for the run as it is. */
  at: number | null
  /** The run at that moment. */
  state: RunState | null
  failure: string | null
}

export interface RunHistory {
  readonly store: StoreApi<HistoryState>
  /** Events are read the first time. */
  seek(at: number): Promise<void>
  /** What an agent had said at the moment that is looked at; undefined at the run's end. */
  transcriptOf(agent: AgentNumber): Transcript | undefined
  /** Back to the run as it is. */
  leave(): void
}

const PRESENT: HistoryState = { at: null, state: null, failure: null }

export function createHistory(readEvents: () => Promise<readonly RunEvent[]>): RunHistory {
  const store = createStore<HistoryState>(() => PRESENT)
  let reading: Promise<Moments> | undefined
  let moments: Moments | undefined
  const show = (at: number, known: Moments): void => store.setState({ at, state: known.at(at), failure: null })
  return {
    store,
    async seek(at) {
      // While the slider is dragged there is nothing to wait for.
      if (moments !== undefined) return show(at, moments)
      store.setState({ at })
      try {
        reading ??= readEvents().then((events) => new Moments(events))
        moments = await reading
        // Where the slider is by now, if it is still held.
        const wanted = store.getState().at
        if (wanted !== null) show(wanted, moments)
      } catch (error) {
        reading = undefined
        store.setState({ ...PRESENT, failure: messageOf(error) })
      }
    },
    transcriptOf(agent) {
      const { at, state } = store.getState()
      return at === null || state === null ? undefined : moments?.transcriptAt(at, agent)
    },
    leave: () => store.setState(PRESENT),
  }
}
