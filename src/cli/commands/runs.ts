// `weft runs`: the history as a table, newest first.

import type { RunRow } from '../../shared/index.ts'
import type { CliContext } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { writeJson } from '../output/json.ts'
import { formatCount, formatDuration, formatTime } from '../render/format.ts'
import { renderTable } from '../render/table.ts'
import { escapeControls } from '../render/text.ts'
import { withHost } from './command.ts'

export interface RunsOptions {
  limit: number
  status?: string[]
  workflow?: string
  text?: string
  /** Milliseconds since the epoch. */
  since?: number
  until?: number
  startedBy?: RunRow['startedBy']['kind']
  /** Only those of the folder that the command stands in. */
  here?: boolean
  json?: boolean
}

export async function listRuns(context: CliContext, options: RunsOptions): Promise<ExitCode> {
  const { json, here, ...filters } = options
  const query = { ...filters, ...(here === true && { workspace: context.cwd }) }
  const { runs, total, pinned } = await withHost(context, context.cwd, ({ client }) => client.call('run.list', query))
  const { out, outStyle } = context
  if (json) writeJson(out, runs)
  else if (runs.length === 0) out.line('no runs')
  else {
    const rows = runs.map((run) => toCells(run, pinned.includes(run.runId), context.now()))
    const headings = ['RUN', 'STATUS', 'WORKFLOW', 'STARTED', 'TOOK', 'AGENTS', 'TOKENS']
    for (const line of renderTable(headings, rows, { width: out.columns(), heading: outStyle.colors.bold }))
      out.line(line)
    if (total > runs.length) out.line(outStyle.colors.dim(`… ${total - runs.length} more (--limit)`))
  }
  return EXIT.completed
}

function toCells(run: RunRow, pinned: boolean, now: number): string[] {
  return [
    run.runId,
    describeStatus(run),
    `${escapeControls(nameOf(run))}${pinned ? ' (pinned)' : ''}`,
    formatTime(run.startedAt),
    run.endedAt === null && run.status === 'interrupted' ? '' : formatDuration((run.endedAt ?? now) - run.startedAt),
    String(run.agents),
    formatCount(run.outputTokens),
  ]
}

function nameOf({ workflow, title, resumedFrom, startedBy }: RunRow): string {
  const titled = title === null ? workflow : `${workflow} (${title})`
  const named = startedBy.kind === 'harness' ? `${titled}, by ${startedBy.name ?? 'a harness'}` : titled
  // The end of an id is what tells runs apart, and it is taken as an id.
  return resumedFrom === null ? named : `${named} ← …${resumedFrom.slice(-6)}`
}

/** The status; a degraded run never reads as a plain success, a simulated one never as a real one. */
export function describeStatus(run: Pick<RunRow, 'status' | 'degraded' | 'simulated'>): string {
  const status = run.status === 'completed' && run.degraded ? 'completed with failures' : run.status
  return run.simulated ? `${status} (simulated)` : status
}
