// Run ids as people type them: whole, or any beginning or end that only one run has, in either case.

import type { HostClient, RunRow } from '../../shared/index.ts'
import { CliError } from '../errors.ts'
import { formatTime } from '../render/format.ts'

const PAGE = 1000
const SHOWN = 5

/** The one run that `text` means. Throws CliError NOT_FOUND for none, USAGE for several. */
export async function findRun(client: HostClient, text: string): Promise<RunRow> {
  const wanted = text.trim().toUpperCase()
  if (!/^[0-9A-Z]+$/.test(wanted)) {
    throw new CliError('USAGE', `"${text}" is no run id: they are letters and digits, see "weft runs"`)
  }
  const { matches, total } = await searchRuns(client, wanted)
  const exact = matches.find((run) => run.runId === wanted)
  const only = exact ?? (matches.length === 1 ? matches[0] : undefined)
  if (only) return only
  if (matches.length === 0) {
    const known = total === 0 ? 'there are no runs yet' : '"weft runs" lists the runs there are'
    throw new CliError('NOT_FOUND', `there is no run ${text}: ${known}`)
  }
  throw new CliError('USAGE', describeChoice(text, matches))
}

async function searchRuns(client: HostClient, wanted: string): Promise<{ matches: RunRow[]; total: number }> {
  const starting: RunRow[] = []
  const ending: RunRow[] = []
  for (let offset = 0; ; offset += PAGE) {
    // A page can only be asked for when the one before it has said that there is more.
    // oxlint-disable-next-line no-await-in-loop
    const { runs, total } = await client.call('run.list', { limit: PAGE, offset })
    starting.push(...runs.filter((run) => run.runId.startsWith(wanted)))
    ending.push(...runs.filter((run) => run.runId.endsWith(wanted)))
    if (runs.length < PAGE) return { matches: starting.length > 0 ? starting : ending, total }
  }
}

function describeChoice(text: string, matches: readonly RunRow[]): string {
  const lines = matches
    .slice(0, SHOWN)
    .map((run) => `  ${run.runId}  ${run.workflow}, ${formatTime(run.startedAt)}, ${run.status}`)
  const rest = matches.length > SHOWN ? [`  … ${matches.length - SHOWN} more`] : []
  return [`${text} could be any of ${matches.length} runs, give more of the id:`, ...lines, ...rest].join('\n')
}
