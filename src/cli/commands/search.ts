// `weft search`: where words stand in prompts, results, logs and return values of all runs.

import { plural, type SearchHit } from '../../shared/index.ts'
import type { CliContext } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { writeJson } from '../output/json.ts'
import { formatTime } from '../render/format.ts'
import { escapeControls } from '../render/text.ts'
import { withHost } from './command.ts'

export async function searchRuns(
  context: CliContext,
  words: readonly string[],
  options: { limit: number; json?: boolean },
): Promise<ExitCode> {
  const { out, outStyle: style } = context
  // What the shell has taken for one word was quoted there: it is a phrase here.
  const text = words.map((word) => (/\s/.test(word) && !word.includes('"') ? `"${word}"` : word)).join(' ')
  const { hits } = await withHost(context, context.cwd, ({ client }) =>
    client.call('run.search', { text, limit: options.limit }),
  )
  if (options.json) writeJson(out, hits)
  else if (hits.length === 0) out.line('nothing found')
  else {
    let shown: string | undefined
    for (const hit of hits) {
      const { runId, workflow, startedAt } = hit.row
      if (runId !== shown)
        out.line(style.colors.bold(`${runId}  ${escapeControls(workflow)}, ${formatTime(startedAt)}`))
      shown = runId
      out.line(`  ${style.colors.dim(placeOf(hit))} ${escapeControls(hit.snippet)}`)
    }
    if (hits.length === options.limit)
      out.line(style.colors.dim(`… the first ${plural(hits.length, 'place')} (--limit)`))
  }
  return EXIT.completed
}

function placeOf({ kind, agent }: SearchHit): string {
  if (kind === 'return') return 'returned:'
  return agent === null ? 'log:' : `agent ${agent}, ${kind}:`
}
