// `weft dry-run`: the real engine with simulated agents on virtual time, its plan and its estimate. Nothing is kept.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { EMPTY_RUN, foldRunAll, type HostCalls, type HostClient } from '../../shared/index.ts'
import type { CliContext } from '../context.ts'
import { CliError, toCliError } from '../errors.ts'
import { exitCodeOf, type ExitCode } from '../exit-codes.ts'
import { describeSource } from '../options/source.ts'
import { writeJson } from '../output/json.ts'
import { renderPlan } from '../render/plan.ts'
import { renderResultHead } from '../render/result.ts'
import { renderRunTree } from '../render/run-tree.ts'
import { findRun } from '../run/find-run.ts'
import { reportRun } from '../run/report-run.ts'
import { withHost } from './command.ts'
import { readStart, type StartOptions } from './run.ts'

export interface DryRunOptions extends StartOptions {
  fixtures?: string
  seed?: number
  failRate?: number
  /** An earlier run: its id, or a part of it that no other run has. */
  answersFrom?: string
  rejectPermissions?: boolean
  allowFailures?: boolean
  json?: boolean
}

type DryRun = HostCalls['run.dryRun']['result']

const TREE_LINES = 40
const RESULT_LINES = 20

export async function dryRunWorkflow(context: CliContext, source: string, options: DryRunOptions): Promise<ExitCode> {
  const start = readStart(context, source, options)
  const simulation = readSimulation(context, options)
  return withHost(context, start.workspace, async ({ client }) => {
    const { answersFrom } = options
    const from = answersFrom === undefined ? {} : { answersFromRun: (await findRun(client, answersFrom)).runId }
    let dryRun: DryRun
    try {
      dryRun = await client.call('run.dryRun', { ...start, simulation: { ...simulation, ...from } })
    } catch (error) {
      throw toCliError(error, describeSource(start.source))
    }
    const { envelope, plan } = dryRun
    if (options.json) writeJson(context.out, { ...envelope, plan })
    else await showDryRun(context, dryRun, client)
    return exitCodeOf(envelope, { allowFailures: options.allowFailures === true, interrupted: false })
  })
}

type Simulation = NonNullable<HostCalls['run.dryRun']['params']['simulation']>

function readSimulation(context: CliContext, options: DryRunOptions): Simulation {
  const { fixtures, seed, failRate, rejectPermissions } = options
  const fixturesPath = fixtures === undefined ? undefined : resolve(context.cwd, fixtures)
  if (fixturesPath !== undefined && !existsSync(fixturesPath)) {
    throw new CliError('USAGE', `--fixtures: there is no file ${fixturesPath}`)
  }
  return {
    ...(fixturesPath !== undefined && { fixturesPath }),
    ...(seed !== undefined && { seed }),
    ...(failRate !== undefined && { failRate }),
    ...(rejectPermissions && { permissions: 'reject' }),
  }
}

async function showDryRun(
  { cwd, out, outStyle: style }: CliContext,
  { envelope, events, plan }: DryRun,
  client: HostClient,
): Promise<void> {
  const state = foldRunAll(EMPTY_RUN, events)
  const width = out.columns()
  const now = state.endedAt ?? state.startedAt ?? 0
  const tree = renderRunTree(state, { style, now, frame: 0 }, { width, height: TREE_LINES })
  for (const line of tree.slice(0, -1)) out.line(line)
  for (const warning of envelope.warnings) out.line(style.colors.yellow(`warning: ${warning}`))
  out.line('')
  for (const line of renderPlan(plan, state, style, { width, cwd })) out.line(line)
  if (envelope.outcome === 'completed') {
    out.line('')
    out.line(style.colors.bold('Result'))
    out.write(renderResultHead(envelope.result, out.isTty, RESULT_LINES))
  }
  out.line('')
  await reportRun({ output: out, style, now }, client, state)
}
