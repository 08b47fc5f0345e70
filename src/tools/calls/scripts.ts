// Tools about scripts, which start no agent: list, validate, dry run.

import type { HostCalls } from '../../shared/index.ts'
import { fail, succeed } from '../results/tool-result.ts'
import type { ToolHandler } from './call-context.ts'
import { describeDiagnostics } from './errors.ts'
import { InputError, readInput } from './read-input.ts'
import { readLimits, readSource, refuseNested, SOURCE_FIELDS } from './run-workflow.ts'

export const listWorkflows: ToolHandler = async (given, { session }) => {
  readInput(given, {})
  const { workflows } = await session.host.call('workflows.list', { workspace: session.workspace })
  const usable = workflows.filter(({ error, shadowedBy }) => error === null && shadowedBy === null)
  const broken = workflows.filter(({ error }) => error !== null)
  const facts = usable.map(({ name, description, whenToUse, path, argsSchema }) => ({
    name,
    description,
    whenToUse,
    path,
    argsSchema,
  }))
  const lines = [
    ...facts.map(({ name, description, whenToUse }) =>
      [`${name}: ${description ?? ''}`, ...(whenToUse === null ? [] : [`  When to use: ${whenToUse}`])].join('\n'),
    ),
    ...broken.map(({ path, error }) => `Broken: ${path}: ${error}`),
  ]
  const texts = lines.join('\n') || 'No workflows are saved here.'
  return succeed([texts], { workflows: facts, broken: broken.map(({ path, error }) => ({ path, error })) })
}

export const validateScript: ToolHandler = async (given, { session }) => {
  const input = readInput(given, { script: 'string', scriptPath: 'string' })
  const { workspace } = session
  const source =
    input.scriptPath !== undefined
      ? await session.host.call('workflows.read', { path: absolute(input.scriptPath, workspace) })
      : input.script !== undefined
        ? { text: input.script, fileName: 'script.js' }
        : undefined
  if (source === undefined) throw new InputError(['one of script, scriptPath is needed'])
  const { text, fileName } = source
  const { meta, diagnostics } = await session.host.call('script.diagnose', { text, fileName, workspace })
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const verdict = errors.length > 0 ? `${errors.length} errors: it can't be run` : 'It can be run'
  const words = diagnostics.length === 0 ? `${verdict}.` : `${verdict}.\n${describeDiagnostics(diagnostics)}`
  const structured = { valid: errors.length === 0, name: meta?.name ?? null, diagnostics }
  return errors.length > 0 ? fail([words], structured) : succeed([words], structured)
}

function absolute(path: string, workspace: string): string {
  return /^(?:\/|[A-Za-z]:[\\/])/.test(path) ? path : `${workspace}/${path}`
}

export const dryRunWorkflow: ToolHandler = async (given, context) => {
  const { session } = context
  refuseNested(context)
  const input = readInput(given, SOURCE_FIELDS)
  const source = readSource(input)
  if (source === undefined) throw new InputError(['one of script, scriptPath, name is needed'])
  // A line of its own, whose end is the end of the dry run.
  const line = session.openStarter()
  const leave = (): void => line.close()
  context.signal.addEventListener('abort', leave)
  try {
    const dry = await line.call('run.dryRun', {
      workspace: session.workspace,
      source,
      ...('args' in input && { args: input.args }),
      ...(input.backend !== undefined && { backend: input.backend }),
      ...readLimits(input, context),
    })
    return describeDryRun(dry)
  } finally {
    context.signal.removeEventListener('abort', leave)
    line.close()
  }
}

function describeDryRun({ envelope, plan }: HostCalls['run.dryRun']['result']) {
  const { estimate, phases, peakConcurrency, longestPath, unreached } = plan
  const { outcome, error, agentsStarted, warnings, workflow } = envelope
  const cost = estimate.costUsd === null ? '' : `, $${estimate.costUsd.toFixed(2)}`
  const facts = { workflow, outcome, agentsStarted, error, estimate, phases, peakConcurrency, warnings }
  const lines = [
    `Dry run of "${workflow}": ${outcome}${error === null ? '' : `: ${error.message}`}`,
    `${agentsStarted} agents, at most ${peakConcurrency} at once`,
    ...phases.map(({ title, agents }) => `Phase ${title ?? '(none)'}: ${agents} agents`),
    `Estimate (from ${estimate.basis}): ${Math.round(estimate.wallClockMs / 1000)} s, ${estimate.outputTokens} output tokens, ${estimate.inputTokens} input tokens${cost}`,
    `Longest path: ${longestPath.map(({ label }) => label).join(' → ') || 'none'}`,
    ...unreached.map(({ line, column, what }) => `Never reached: ${what} at ${line}:${column}`),
    ...warnings.map((warning) => `Warning: ${warning}`),
  ]
  return outcome === 'completed'
    ? succeed([lines.join('\n')], facts)
    : fail([lines.join('\n')], { ...facts, error: error?.message ?? outcome })
}
