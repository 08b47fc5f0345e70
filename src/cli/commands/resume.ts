// `weft resume`: goes on from an earlier run. What that run has finished is answered from it; what is left out here (script,
// args, back end, budget, workspace) is taken from it.

import type { HostCalls, HostClient } from '../../shared/index.ts'
import type { CliContext } from '../context.ts'
import type { ExitCode } from '../exit-codes.ts'
import { readSource, readWorkspace } from '../options/source.ts'
import { findRun } from '../run/find-run.ts'
import type { RunReport } from '../run/run-session.ts'
import { readLimits, startAndFollow, type StartOptions } from './run.ts'

export interface ResumeOptions extends StartOptions, RunReport {
  script?: string
  events?: string
}

export async function resumeRun(context: CliContext, id: string, options: ResumeOptions): Promise<ExitCode> {
  const changes = readChanges(context, options)
  return startAndFollow(context, changes.workspace ?? context.cwd, options, async (client) =>
    withEarlier(client, id, changes),
  )
}

type Changes = Omit<HostCalls['run.start']['params'], 'resumeFromRunId'>

function readChanges(context: CliContext, options: ResumeOptions): Changes {
  const { script, cwd } = options
  return {
    ...(cwd !== undefined && { workspace: readWorkspace(cwd, context.cwd) }),
    ...(script !== undefined && { source: readSource(script, context.cwd) }),
    ...readLimits(context, options),
  }
}

async function withEarlier(client: HostClient, id: string, changes: Changes) {
  return { ...changes, resumeFromRunId: (await findRun(client, id)).runId }
}
