// A run's state at any moment: the fold of its events up to then, from the nearest checkpoint before.

import { EMPTY_RUN, foldRunAll, type AgentNumber, type RunEvent, type RunState } from '../../../shared/index.ts'
import { EMPTY_TRANSCRIPT, foldTranscript, type Transcript } from '../runs/transcript.ts'

/** A moment costs at most so many events to fold; a checkpoint shares with its neighbours what did not change. */
const CHECKPOINT_EVERY = 400

export class Moments {
  readonly #events: readonly RunEvent[]
  /** The state before event n × CHECKPOINT_EVERY; made when they are first passed. */
  readonly #checkpoints: RunState[] = [EMPTY_RUN]

  constructor(events: readonly RunEvent[]) {
    this.#events = events
  }

  /** In milliseconds since the epoch; both 0 for a run without events. */
  get span(): { start: number; end: number } {
    return { start: this.#events[0]?.at ?? 0, end: this.#events.at(-1)?.at ?? 0 }
  }

  /** The state at the time, with all that happened in that very millisecond. */
  at(time: number): RunState {
    const count = this.#countUntil(time)
    const from = this.#checkpointBefore(count)
    return foldRunAll(from, this.#events.slice(from.seq, count))
  }

  /** What the agent had said and done until then. */
  transcriptAt(time: number, agent: AgentNumber): Transcript {
    return this.#events
      .slice(0, this.#countUntil(time))
      .filter((event) => 'agent' in event && event.agent === agent)
      .reduce(foldTranscript, EMPTY_TRANSCRIPT)
  }

  // Times of a run never go back by more than a clock's correction; the order of events is what counts.
  #countUntil(time: number): number {
    let low = 0
    let high = this.#events.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#events[middle]?.at ?? 0) <= time) low = middle + 1
      else high = middle
    }
    return low
  }

  #checkpointBefore(count: number): RunState {
    const wanted = Math.floor(count / CHECKPOINT_EVERY)
    let state = this.#checkpoints.at(-1) ?? EMPTY_RUN
    while (this.#checkpoints.length <= wanted) {
      state = foldRunAll(state, this.#events.slice(state.seq, state.seq + CHECKPOINT_EVERY))
      this.#checkpoints.push(state)
    }
    return this.#checkpoints[wanted] ?? EMPTY_RUN
  }
}
