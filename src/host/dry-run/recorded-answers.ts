// Answers of an earlier run for the same calls of a dry run: what a changed script would make of them costs nothing to see.

import type { RecordedAnswer } from '../../agents/index.ts'
import type { AgentRequest, JournalRow } from '../../engine/index.ts'
import { asRunId, HostError, type AgentNumber, type RunId } from '../../shared/index.ts'
import type { Store } from '../../store/index.ts'

/** Rejects with NOT_FOUND for an unknown run, with BAD_REQUEST for one in which no agent completed. */
export async function readRecordedAnswers(
  store: Pick<Store, 'readRow' | 'journal'>,
  run: string,
): Promise<RecordedAnswers> {
  const runId = asRunId(run)
  const row = store.readRow(runId)
  if (row === undefined)
    throw new HostError({ code: 'NOT_FOUND', message: `There is no run ${run} to take answers from` })
  const rows = await store.journal.readReplayable(runId)
  if (rows.length === 0)
    throw new HostError({
      code: 'BAD_REQUEST',
      message: `Run ${run} has no answers to take: none of its agents completed`,
    })
  // What a simulated run took says nothing about a real one. A replayed call was paid for in the run that it came from.
  const isMadeUp = (origin: RunId): boolean => (store.readRow(origin) ?? row).simulated
  return new RecordedAnswers(runId, rows, isMadeUp)
}

export class RecordedAnswers {
  readonly runId: RunId
  readonly #isMadeUp: (origin: RunId) => boolean
  readonly #byPlace = new Map<string, JournalRow>()
  readonly #byKey = new Map<string, { rows: JournalRow[]; given: number }>()
  readonly #given = new Map<AgentNumber, JournalRow>()
  #timed = false

  constructor(runId: RunId, rows: readonly JournalRow[], isMadeUp: (origin: RunId) => boolean) {
    this.runId = runId
    this.#isMadeUp = isMadeUp
    for (const row of rows) {
      this.#byPlace.set(placeOf(row), row)
      const same = this.#byKey.get(row.key)
      if (same === undefined) this.#byKey.set(row.key, { rows: [row], given: 0 })
      else same.rows.push(row)
    }
  }

  /** How many calls were answered. */
  get calls(): number {
    return this.#given.size
  }

  /** Whether any of the answers came with what it took in a real run. */
  get timed(): boolean {
    return this.#timed
  }

  /** The answer to the same prompt and options: the one at the same place, else the next one of its kind. */
  readonly find = (request: Pick<AgentRequest, 'agent' | 'path' | 'key'>): RecordedAnswer | undefined => {
    const row = this.#given.get(request.agent) ?? this.#byPlace.get(placeOf(request)) ?? this.#next(request.key)
    if (row === undefined) return undefined
    this.#given.set(request.agent, row)
    if (this.#isMadeUp(row.origin)) return { output: row.result }
    this.#timed = true
    return { output: row.result, durationMs: row.durationMs, ...(row.usage !== null && { usage: row.usage }) }
  }

  // A call that moved, or one more than there were: the last answer serves for all that follow.
  #next(key: string): JournalRow | undefined {
    const same = this.#byKey.get(key)
    return same?.rows[Math.min(same.given++, same.rows.length - 1)]
  }
}

function placeOf({ path, key }: Pick<JournalRow, 'path' | 'key'>): string {
  return `${path} ${key}`
}
