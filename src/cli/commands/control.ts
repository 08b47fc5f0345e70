// `weft pause`, `weft continue`, `weft agent`: steering a live run from any terminal, through the host that runs it.

import { toPreview, type HostClient, type RunRow, type RunState } from '../../shared/index.ts'
import type { CliContext } from '../context.ts'
import { CliError } from '../errors.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { writeJson } from '../output/json.ts'
import { escapeControls } from '../render/text.ts'
import { findRun } from '../run/find-run.ts'
import { followRun } from '../run/follow-run.ts'
import { withHost } from './command.ts'
import { describeStatus } from './runs.ts'

const LIVE: ReadonlySet<RunRow['status']> = new Set(['queued', 'running', 'paused'])

export const AGENT_ACTIONS = ['skip', 'retry', 'stop'] as const
export type AgentActionName = (typeof AGENT_ACTIONS)[number]

export async function pauseRun(
  context: CliContext,
  id: string,
  options: { reason?: string; json?: boolean },
): Promise<ExitCode> {
  return withHost(context, context.cwd, async ({ client }) => {
    const { runId } = await findLive(client, id, 'pause')
    await client.call('run.pause', { runId, reason: options.reason ?? 'weft pause' })
    const { row } = await client.call('run.get', { runId })
    if (options.json) writeJson(context.out, row)
    else context.out.line(`${runId} paused; agents that run go on, "weft continue ${runId}" lets the others begin`)
    return EXIT.completed
  })
}

export async function continueRun(context: CliContext, id: string, options: { json?: boolean }): Promise<ExitCode> {
  return withHost(context, context.cwd, async ({ client }) => {
    const { runId } = await findLive(client, id, 'continue')
    await client.call('run.continue', { runId })
    const { row } = await client.call('run.get', { runId })
    if (options.json) writeJson(context.out, row)
    else context.out.line(`${runId} goes on`)
    return EXIT.completed
  })
}

/** Skipping and stopping wait until the agent has ended; `retry` answers at once. */
export async function actOnAgent(
  context: CliContext,
  id: string,
  agent: number,
  action: AgentActionName,
  options: { json?: boolean },
): Promise<ExitCode> {
  return withHost(context, context.cwd, async ({ client, lost }) => {
    const { runId } = await findLive(client, id, action)
    await client.call('run.agent', { runId, agent, action })
    // A new attempt is the run's business from here on.
    const until = ({ agents: { [agent - 1]: acted } }: RunState): boolean =>
      acted !== undefined && (action === 'retry' || acted.endedAt !== undefined)
    const state = await followRun(client, runId, { onEvents: () => {}, until, lost })
    const done = state.agents[agent - 1]
    if (options.json) writeJson(context.out, done ?? null)
    else context.out.line(`${runId} agent ${agent}${describeAgent(done, action)}`)
    return EXIT.completed
  })
}

type Agent = RunState['agents'][number]

function describeAgent(agent: Agent | undefined, action: AgentActionName): string {
  if (agent === undefined) return ''
  const label = escapeControls(toPreview(agent.label, 60))
  return ` (${label}): ${action === 'retry' ? 'starts again' : agent.status}`
}

async function findLive(client: HostClient, id: string, verb: string): Promise<RunRow> {
  const row = await findRun(client, id)
  if (LIVE.has(row.status)) return row
  throw new CliError('REFUSED', `run ${row.runId} is not live, there is nothing to ${verb}: ${describeStatus(row)}`)
}
