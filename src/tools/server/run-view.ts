// A run as its stored events make it, read on from where it was read to last.

import { RunFold, type HostClient, type RunId, type RunState } from '../../shared/index.ts'

const PAGE = 5000

export class RunView {
  readonly runId: RunId
  readonly #client: HostClient
  readonly #fold = new RunFold()
  #reading: Promise<RunState> | undefined

  constructor(client: HostClient, runId: RunId) {
    this.runId = runId
    this.#client = client
  }

  /** What is known without asking. */
  get state(): RunState {
    return this.#fold.state
  }

  /** Reads what was stored since. Rejects as `run.events` does. */
  refresh(): Promise<RunState> {
    if (this.#fold.state.endedAt !== undefined) return Promise.resolve(this.#fold.state)
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined))
    return this.#reading
  }

  async #read(): Promise<RunState> {
    for (;;) {
      const fromSeq = this.#fold.state.seq + 1
      // Each page starts where the last one ended.
      // oxlint-disable-next-line no-await-in-loop
      const { events } = await this.#client.call('run.events', { runId: this.runId, fromSeq, limit: PAGE })
      for (const event of events) this.#fold.push(event)
      if (events.length < PAGE) return this.#fold.state
    }
  }
}
