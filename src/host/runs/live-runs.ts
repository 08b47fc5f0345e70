// The runs that this host is running now: handles by id, and how many agents they keep busy.

import { RunFold, type RunEvent, type RunId, type RunState } from '../../shared/index.ts'
import type { Logger, RunHandle } from '../../engine/index.ts'

interface LiveRun {
  handle: RunHandle
  fold: RunFold | undefined
}

export class LiveRuns {
  readonly #runs = new Map<RunId, LiveRun>()
  readonly #waiting: (() => void)[] = []
  readonly #logger: Logger
  /** Called when a run came or went. */
  onChange: () => void = () => undefined

  constructor(logger: Logger) {
    this.#logger = logger
  }

  get size(): number {
    return this.#runs.size
  }

  /** Agents that run now, over all runs. */
  get runningAgents(): number {
    let running = 0
    for (const { fold } of this.#runs.values()) running += fold?.state.running ?? 0
    return running
  }

  get(runId: RunId): RunHandle | undefined {
    return this.#runs.get(runId)?.handle
  }

  /** What the stored events make of a live run; undefined for one that is not live or whose events can't be followed. */
  stateOf(runId: RunId): RunState | undefined {
    return this.#runs.get(runId)?.fold?.state
  }

  /** Keeps the handle until its run has settled. */
  add(handle: RunHandle): void {
    this.#runs.set(handle.id, { handle, fold: new RunFold() })
    this.onChange()
    void handle.settled.then(() => {
      this.#runs.delete(handle.id)
      this.onChange()
      if (this.#runs.size === 0) for (const resolve of this.#waiting.splice(0)) resolve()
    })
  }

  /** Events of a run that were just stored. */
  follow(runId: RunId, events: readonly RunEvent[]): void {
    const run = this.#runs.get(runId)
    if (run?.fold === undefined) return
    try {
      for (const event of events) run.fold.push(event)
    } catch (error) {
      // Only the count of running agents is lost: the store has judged these events before.
      run.fold = undefined
      this.#logger.error(`The events of run ${runId} can't be followed`, { error })
    }
  }

  cancelAll(reason: string): void {
    for (const { handle } of this.#runs.values()) handle.cancel(reason)
  }

  /** Resolves when no run is live; at once when none is. */
  async whenQuiet(): Promise<void> {
    if (this.#runs.size > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}
