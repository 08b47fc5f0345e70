// `weft cancel`: ends a live run from any terminal and waits until it has ended.

import { describeOutcome, type RunRow } from '../../shared/index.ts'
import type { CliContext } from '../context.ts'
import { CliError } from '../errors.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { writeJson } from '../output/json.ts'
import { findRun } from '../run/find-run.ts'
import { followRun } from '../run/follow-run.ts'
import { toRunEnvelope } from '../../shared/index.ts'
import { describeStatus } from './runs.ts'
import { withHost } from './command.ts'

const LIVE: ReadonlySet<RunRow['status']> = new Set(['queued', 'running', 'paused'])

export async function cancelRun(
  context: CliContext,
  id: string,
  options: { reason?: string; json?: boolean },
): Promise<ExitCode> {
  return withHost(context, context.cwd, async ({ client, lost }) => {
    const row = await findRun(client, id)
    const { runId } = row
    if (!LIVE.has(row.status)) {
      throw new CliError('REFUSED', `run ${runId} is not live, there is nothing to cancel: ${describeStatus(row)}`)
    }
    await client.call('run.cancel', { runId, reason: options.reason ?? 'weft cancel' })
    const state = await followRun(client, runId, { onEvents: () => {}, lost })
    if (options.json) writeJson(context.out, toRunEnvelope(state))
    else context.out.line(`${runId} ${describeOutcome(state)}`)
    return EXIT.completed
  })
}
