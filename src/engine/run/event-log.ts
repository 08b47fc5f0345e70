// Numbers a run's events and hands them to the sink: from 1 without gaps, nothing after `run-ended`.

import type { RunEvent, RunEventPayloads, RunEventType, RunId } from '../../shared/index.ts'
import type { Clock, EventSink } from '../ports.ts'

export class EventLog {
  readonly #runId: RunId
  readonly #sink: EventSink
  readonly #clock: Clock
  #seq = 0
  #closed = false

  constructor(runId: RunId, sink: EventSink, clock: Clock) {
    this.#runId = runId
    this.#sink = sink
    this.#clock = clock
  }

  /** Returns the event's number. What comes after `run-ended` is dropped: it is late news of something given up on. */
  emit<Type extends RunEventType>(type: Type, payload: RunEventPayloads[Type]): number {
    if (this.#closed) return this.#seq
    if (type === 'run-ended') this.#closed = true
    // The payload is the one of `type`; TypeScript does not follow the generic through the spread.
    const event = { seq: ++this.#seq, at: this.#clock.now(), type, ...payload } as RunEvent
    this.#sink.append(this.#runId, event)
    return event.seq
  }

  flush(): Promise<void> {
    return this.#sink.flush(this.#runId)
  }
}
