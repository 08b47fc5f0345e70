// Watches a run until it ends: its events in order, each with the fold up to it.

import {
  EMPTY_RUN,
  foldRunAll,
  type HostClient,
  type RunEvent,
  type RunId,
  type RunRow,
  type RunState,
} from '../../shared/index.ts'
import { CliError } from '../errors.ts'

const PAGE = 10_000

export interface FollowOptions {
  /** Called with each batch, already stored, and the state after it. */
  onEvents(events: readonly RunEvent[], state: RunState): void
  /** Stop following when this says so; the run itself goes on. */
  until?(state: RunState): boolean
  /** A person answers here what its agents ask leave for. */
  answers?: boolean
  /** Rejects when the host is gone. */
  lost?: Promise<never>
}

/** The state at the run's end, or where `until` was met. Rejects with what `lost` says, or with the host's own error. */
export async function followRun(client: HostClient, runId: RunId, options: FollowOptions): Promise<RunState> {
  let state = EMPTY_RUN
  let work = Promise.resolve()
  let stop = (): void => {}
  const ended = new Promise<RunState>((resolve, reject) => {
    const apply = async (batch: readonly RunEvent[]): Promise<void> => {
      const events = batch.filter((event) => event.seq > state.seq)
      const first = events[0]
      if (first === undefined) return
      const missed = first.seq === state.seq + 1 ? [] : await readEvents(client, runId, state.seq + 1, first.seq - 1)
      const all = [...missed, ...events]
      state = foldRunAll(state, all)
      options.onEvents(all, state)
      if (state.endedAt !== undefined || options.until?.(state)) resolve(state)
    }
    // A run whose events can't be stored any more ends without a last one: its row alone tells.
    const judge = async ({ runId: of, status, error }: RunRow): Promise<void> => {
      if (of !== runId || status !== 'interrupted' || state.endedAt !== undefined) return
      await apply(await readEvents(client, runId, state.seq + 1))
      if (state.endedAt === undefined) reject(new CliError('FAILED', `run ${runId} is interrupted: ${error ?? ''}`))
    }
    const stopEvents = client.on('run.events', ({ runId: of, events }) => {
      if (of === runId) work = work.then(() => apply(events)).catch(reject)
    })
    const stopRows = client.on('run.row', ({ row }) => {
      work = work.then(() => judge(row)).catch(reject)
    })
    stop = () => {
      stopEvents()
      stopRows()
    }
    const answers = options.answers === true ? { answers: true } : {}
    client
      .call('run.watch', { runId, fromSeq: 1, ...answers })
      .then(() => client.call('run.get', { runId }))
      .then(({ row }) => judge(row))
      .catch(reject)
  })
  try {
    return await (options.lost ? Promise.race([ended, options.lost]) : ended)
  } finally {
    stop()
  }
}

/** Events `from` to `to`, both included, however many. */
export async function readEvents(
  client: HostClient,
  runId: RunId,
  from: number,
  to: number = Infinity,
): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  for (let next = from; next <= to;) {
    const limit = Math.min(PAGE, to - next + 1)
    // Each page starts where the last one ended.
    // oxlint-disable-next-line no-await-in-loop
    const page = await client.call('run.events', { runId, fromSeq: next, limit })
    events.push(...page.events)
    if (page.events.length < limit) break
    next += page.events.length
  }
  return events
}
