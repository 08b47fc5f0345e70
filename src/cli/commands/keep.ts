// `weft delete`, `weft pin`, `weft unpin`: which runs stay.

import { plural, type RunId } from '../../shared/index.ts'
import type { CliContext } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { writeJson } from '../output/json.ts'
import { findRun } from '../run/find-run.ts'
import { withHost } from './command.ts'

/** All of them, or none when one is live or not to be found. */
export async function deleteRuns(
  context: CliContext,
  ids: readonly string[],
  options: { json?: boolean },
): Promise<ExitCode> {
  const deleted = await withHost(context, context.cwd, async ({ client }) => {
    const rows = await Promise.all(ids.map((id) => findRun(client, id)))
    const runIds: RunId[] = [...new Set(rows.map(({ runId }) => runId))]
    await client.call('run.delete', { runIds })
    return runIds
  })
  if (options.json) writeJson(context.out, { deleted })
  else context.out.line(`deleted ${plural(deleted.length, 'run')}: ${deleted.join(', ')}`)
  return EXIT.completed
}

export async function pinRun(
  context: CliContext,
  id: string,
  pinned: boolean,
  options: { json?: boolean },
): Promise<ExitCode> {
  const runId = await withHost(context, context.cwd, async ({ client }) => {
    const row = await findRun(client, id)
    await client.call('run.pin', { runId: row.runId, pinned })
    return row.runId
  })
  if (options.json) writeJson(context.out, { runId, pinned })
  else context.out.line(pinned ? `${runId} is kept whatever its age` : `${runId} goes when its time has come`)
  return EXIT.completed
}
