// `weft run`: starts a workflow, shows it while it runs, and answers with its result.

import type { HostCalls, HostClient } from '../../shared/index.ts'
import type { CliContext } from '../context.ts'
import { toCliError } from '../errors.ts'
import type { ExitCode } from '../exit-codes.ts'
import { readArgs } from '../options/args.ts'
import { describeSource, readSource, readWorkspace, type ScriptSource } from '../options/source.ts'
import { announceResume } from '../run/announce-resume.ts'
import { offerBackend } from '../run/offer-backend.ts'
import { openEventWriter } from '../run/event-writer.ts'
import { findRun } from '../run/find-run.ts'
import { hintResumable } from '../run/hint-resumable.ts'
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
  /** An earlier run whose finished calls are answered from it. */
  resume?: string
  /** Nothing is asked before a resume pays for calls. */
  yes?: boolean
}

type RunParams = HostCalls['run.start']['params']

export async function runWorkflow(context: CliContext, source: string, options: RunCommandOptions): Promise<ExitCode> {
  const params = readStart(context, source, options)
  const { resume } = options
  return startAndFollow(context, params.workspace, options, async (client) =>
    resume === undefined ? params : { ...params, resumeFromRunId: (await findRun(client, resume)).runId },
  )
}

/** `prepare` makes the parameters once there is a host to ask; `workspace` is where the command stands. */
export async function startAndFollow(
  context: CliContext,
  workspace: string,
  options: RunReport & { events?: string; yes?: boolean },
  prepare: (client: HostClient) => Promise<RunParams>,
): Promise<ExitCode> {
  const events = options.events === undefined ? undefined : openEventWriter(options.events, context.cwd, context.out)
  try {
    return await withHost(context, workspace, async (access) => {
      const session = new RunSession(context, access, options, events)
      return session.run(async () => {
        const params = await prepare(access.client)
        const quiet = options.json === true || options.events === '-'
        if (params.backend === undefined && params.resumeFromRunId === undefined && !quiet)
          await offerBackend(context, access.client)
        await announceResume(context, access.client, params, options)
        try {
          const answers = session.answers ? { answers: true } : {}
          const { runId } = await access.client.call('run.start', { ...params, ...answers })
          if (params.resumeFromRunId === undefined) await hintResumable(context, access.client, runId)
          return runId
        } catch (error) {
          throw toCliError(error, params.source && describeSource(params.source))
        }
      })
    })
  } finally {
    events?.close()
  }
}

/** The parameters of a run of its own, every option checked before a host is asked. */
export function readStart(
  context: CliContext,
  source: string,
  options: StartOptions,
): RunParams & { workspace: string; source: ScriptSource } {
  return {
    workspace: readWorkspace(options.cwd, context.cwd),
    source: readSource(source, context.cwd),
    ...readLimits(context, options),
  }
}

/** What the caller says of the run besides its script and its place. */
export function readLimits(context: CliContext, options: StartOptions): Omit<RunParams, 'workspace' | 'source'> {
  const { args, backend, model, budget, concurrency, maxAgents } = options
  return {
    ...(args !== undefined && { args: readArgs(args, context.cwd) }),
    ...(backend !== undefined && { backend }),
    ...(model !== undefined && { model }),
    ...(budget !== undefined && { budgetTokens: budget }),
    ...(concurrency !== undefined && { maxConcurrentAgents: concurrency }),
    ...(maxAgents !== undefined && { maxAgents }),
  }
}
