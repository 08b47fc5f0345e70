// `weft diff`: two runs side by side.

import type { CliContext } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { writeJson } from '../output/json.ts'
import { renderComparison } from '../render/comparison.ts'
import { findRun } from '../run/find-run.ts'
import { withHost } from './command.ts'

export async function compareRuns(
  context: CliContext,
  a: string,
  b: string,
  options: { all?: boolean; json?: boolean },
): Promise<ExitCode> {
  const comparison = await withHost(context, context.cwd, async ({ client }) => {
    const [earlier, later] = [await findRun(client, a), await findRun(client, b)]
    return client.call('run.compare', { a: earlier.runId, b: later.runId })
  })
  if (options.json) writeJson(context.out, comparison)
  else for (const line of renderComparison(comparison, context.outStyle, options.all === true)) context.out.line(line)
  return EXIT.completed
}
