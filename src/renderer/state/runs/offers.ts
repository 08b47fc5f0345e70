// Runs that a crash or a kill cut off are offered for resuming when the window opens: quietly, each of them once.

import { isJsonObject, type HostClient, type RunId, type RunRow } from '../../../shared/index.ts'
import { formatAgo } from '../format.ts'
import type { Notices } from '../notices.ts'
import type { Memory } from '../storage.ts'

interface OfferOptions {
  client: HostClient
  workspace: string
  memory: Memory
  notices: Pick<Notices, 'offer'>
  resume(runId: RunId): void
}

const MOST_OFFERS = 3
const MOST_REMEMBERED = 200
const KEY = 'discarded-offers'

/** Offers what can be resumed. Rejects with HostError. */
export async function offerInterruptedRuns(options: OfferOptions, now = Date.now()): Promise<void> {
  const { client, workspace, memory, notices, resume } = options
  const { runs } = await client.call('run.resumable', { workspace })
  const discarded = recall(memory.read(KEY))
  for (const row of runs.filter(({ runId }) => !discarded.includes(runId)).slice(0, MOST_OFFERS)) {
    notices.offer(`interrupted:${row.runId}`, describe(row, now), [
      { label: 'Resume', run: () => resume(row.runId) },
      {
        label: 'Discard',
        run: () => memory.write(KEY, { runIds: [...recall(memory.read(KEY)), row.runId].slice(-MOST_REMEMBERED) }),
      },
    ])
  }
}

function describe(row: RunRow, now: number): string {
  const done = row.calls.completed + row.calls.replayed
  const kept = done === 0 ? '' : ` ${done === 1 ? 'One finished call is' : `${done} finished calls are`} kept.`
  return `${row.title ?? row.workflow}, started ${formatAgo(row.startedAt, now)}, was interrupted.${kept}`
}

function recall(value: unknown): string[] {
  const ids = isJsonObject(value) ? value['runIds'] : undefined
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
}
