// `weft show`: one run as the same tree as while it ran, whole, with its log, warnings and verdict.

import {
  EMPTY_RUN,
  foldRunAll,
  SIMULATED_WARNING,
  toRunEnvelope,
  type HostClient,
  type JsonValue,
  type RunId,
  type RunState,
} from '../../shared/index.ts'
import type { CliContext } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { writeJson } from '../output/json.ts'
import { renderRunTree } from '../render/run-tree.ts'
import { escapeBlock, escapeControls } from '../render/text.ts'
import { findRun } from '../run/find-run.ts'
import { readEvents } from '../run/follow-run.ts'
import { reportRun } from '../run/report-run.ts'
import { withHost } from './command.ts'

export async function showRun(context: CliContext, id: string, options: { json?: boolean }): Promise<ExitCode> {
  return withHost(context, context.cwd, async ({ client }) => {
    const row = await findRun(client, id)
    const folded = foldRunAll(EMPTY_RUN, await readEvents(client, row.runId, 1))
    // A log that stops early is the evidence of an interruption, which the row knows and no event tells.
    const state: RunState = row.status === 'interrupted' ? { ...folded, status: 'interrupted' } : folded
    if (options.json) {
      const result = await readResult(client, row.runId)
      const { phases, groups, agents, log } = state
      const resumedFrom = state.info?.resumedFrom ?? null
      writeJson(context.out, { ...toRunEnvelope(state, result), resumedFrom, phases, groups, agents, log })
    } else await printRun(context, client, state, row.endedAt ?? lastHeard(state))
    return EXIT.completed
  })
}

async function readResult(client: HostClient, runId: RunId): Promise<JsonValue> {
  const { json } = await client.call('run.result', { runId })
  // The host has stored what it had checked to be JSON.
  return json === null ? null : (JSON.parse(json) as JsonValue)
}

async function printRun(context: CliContext, client: HostClient, state: RunState, at: number): Promise<void> {
  const { out, outStyle: style } = context
  const now = state.status === 'interrupted' || state.endedAt !== undefined ? at : context.now()
  const size = { width: out.columns(), height: Infinity }
  for (const line of renderRunTree(state, { style, now, frame: 0 }, size).slice(0, -1)) out.line(line)
  if (state.info?.resumedFrom) out.line(`${style.colors.bold('Resumed from')} ${state.info.resumedFrom}`)
  showFailures(context, state)
  if (state.log.length > 0) out.line(style.colors.bold('Log'))
  for (const { message } of state.log) out.line(`  ${escapeControls(message)}`)
  const warnings = toRunEnvelope(state).warnings.filter((warning) => warning !== SIMULATED_WARNING)
  for (const warning of warnings) out.line(style.colors.yellow(`warning: ${escapeControls(warning)}`))
  if (state.resultPreview !== undefined) {
    out.line(`${style.colors.bold('Result')} ${escapeControls(state.resultPreview)}`)
  }
  await reportRun({ output: out, style, now }, client, state)
}

/** Why agents failed, whole: a row of the tree has room for the beginning alone. */
function showFailures({ out, outStyle: style }: CliContext, { agents }: RunState): void {
  const failed = agents.filter(({ error }) => error !== undefined)
  if (failed.length > 0) out.line(style.colors.bold('Failed'))
  for (const { label, error } of failed) {
    const [first, ...more] = escapeBlock(error?.message ?? '')
      .trimEnd()
      .split('\n')
    out.line(`  ${escapeControls(label)}: ${first}`)
    for (const line of more) out.line(`    ${line}`)
  }
}

/** When the run was last heard of: its clock stops there if nobody ended it. */
function lastHeard(state: RunState): number {
  return state.agents.reduce((last, agent) => Math.max(last, agent.lastActivityAt), state.startedAt ?? 0)
}
