// `weft run`: starts a workflow, shows it while it runs, and answers with its result.

import type { HostCalls } from '../../shared/index.ts'
import type { CliContext } from '../context.ts'
import { toCliError } from '../errors.ts'
import type { ExitCode } from '../exit-codes.ts'
import { readArgs } from '../options/args.ts'
import { describeSource, readSource, readWorkspace } from '../options/source.ts'
import { openEventWriter } from '../run/event-writer.ts'
import { RunSession, type RunReport } from '../run/run-session.ts'
import { withHost } from './command.ts'

/** What `run` and `dry-run` share. */
export interface StartOptions {
  args?: string
  backend?: string
  model?: string
  budget?: number
  concurrency?: number
  maxAgents?: number
  cwd?: string
}

export interface RunCommandOptions extends StartOptions, RunReport {
  events?: string
}

export async function runWorkflow(context: CliContext, source: string, options: RunCommandOptions): Promise<ExitCode> {
  const params = readStart(context, source, options)
  const events = options.events === undefined ? undefined : openEventWriter(options.events, context.cwd, context.out)
  try {
    return await withHost(context, params.workspace, async (access) => {
      const session = new RunSession(context, access, options, events)
      return session.run(async () => {
        try {
          return (await access.client.call('run.start', params)).runId
        } catch (error) {
          throw toCliError(error, describeSource(params.source))
        }
      })
    })
  } finally {
    events?.close()
  }
}

/** The parameters of `run.start`, every option checked before a host is asked. */
export function readStart(
  context: CliContext,
  source: string,
  options: StartOptions,
): HostCalls['run.start']['params'] {
  const { args, backend, model, budget, concurrency, maxAgents, cwd } = options
  return {
    workspace: readWorkspace(cwd, context.cwd),
    source: readSource(source, context.cwd),
    ...(args !== undefined && { args: readArgs(args, context.cwd) }),
    ...(backend !== undefined && { backend }),
    ...(model !== undefined && { model }),
    ...(budget !== undefined && { budgetTokens: budget }),
    ...(concurrency !== undefined && { maxConcurrentAgents: concurrency }),
    ...(maxAgents !== undefined && { maxAgents }),
  }
}
