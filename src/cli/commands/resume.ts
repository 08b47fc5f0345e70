// `weft resume`: goes on from an earlier run. What that run has finished is answered from it; what is left out here (script,
// args, back end, budget, workspace) is taken from it.

import type { HostCalls, HostClient, ResumePlan } from '../../shared/index.ts'
import type { CliContext } from '../context.ts'
import { toCliError } from '../errors.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { describeSource, readSource, readWorkspace } from '../options/source.ts'
import { writeJson } from '../output/json.ts'
import { renderResumePlan } from '../render/resume-plan.ts'
import { findRun } from '../run/find-run.ts'
import type { RunReport } from '../run/run-session.ts'
import { withHost } from './command.ts'
import { readLimits, startAndFollow, type StartOptions } from './run.ts'

export interface ResumeOptions extends Omit<StartOptions, 'budget'>, RunReport {
  /** `none` drops that of the earlier run. */
  budget?: number | 'none'
  /** Nothing is asked before it pays for calls. */
  yes?: boolean
  script?: string
  events?: string
  /** Only tell what would be replayed and what would run. */
  plan?: boolean
}

export async function resumeRun(context: CliContext, id: string, options: ResumeOptions): Promise<ExitCode> {
  const changes = readChanges(context, options)
  if (options.plan === true) return showPlan(context, id, changes, options.json === true)
  return startAndFollow(context, changes.workspace ?? context.cwd, options, async (client) =>
    withEarlier(client, id, changes),
  )
}

async function showPlan(context: CliContext, id: string, changes: Changes, json: boolean): Promise<ExitCode> {
  const { out, outStyle } = context
  return withHost(context, changes.workspace ?? context.cwd, async ({ client }) => {
    const params = await withEarlier(client, id, changes)
    let plan: ResumePlan
    try {
      plan = await client.call('run.resumePlan', params)
    } catch (error) {
      throw toCliError(error, changes.source && describeSource(changes.source))
    }
    if (json) writeJson(out, plan)
    else for (const line of renderResumePlan(plan, outStyle)) out.line(line)
    return EXIT.completed
  })
}

type Changes = Omit<HostCalls['run.start']['params'], 'resumeFromRunId'>

function readChanges(context: CliContext, options: ResumeOptions): Changes {
  const { script, cwd, args, budget, ...limits } = options
  const without = [...(args === 'none' ? (['args'] as const) : []), ...(budget === 'none' ? (['budget'] as const) : [])]
  const given = {
    ...limits,
    ...(args !== undefined && args !== 'none' && { args }),
    ...(budget !== undefined && budget !== 'none' && { budget }),
  }
  return {
    ...(without.length > 0 && { without }),
    ...(cwd !== undefined && { workspace: readWorkspace(cwd, context.cwd) }),
    ...(script !== undefined && { source: readSource(script, context.cwd) }),
    ...readLimits(context, given),
  }
}

async function withEarlier(client: HostClient, id: string, changes: Changes) {
  return { ...changes, resumeFromRunId: (await findRun(client, id)).runId }
}
