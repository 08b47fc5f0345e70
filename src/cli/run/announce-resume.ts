// Before a resume pays for anything: how many calls it will run and about how much they cost, and, where somebody is there to
// say so, whether it shall.

import { plural, type HostCalls, type HostClient, type ResumePlan } from '../../shared/index.ts'
import type { CliContext } from '../context.ts'
import { CliError } from '../errors.ts'
import { ENTER, INTERRUPT } from '../keyboard.ts'
import { formatCount } from '../render/format.ts'

type StartParams = HostCalls['run.start']['params']

export interface ResumeConsent {
  /** `--yes`: nothing is asked. */
  yes?: boolean
  json?: boolean
  events?: string
}

/** Throws CliError REFUSED when the answer is no. */
export async function announceResume(
  context: CliContext,
  client: HostClient,
  params: StartParams,
  { yes, json, events }: ResumeConsent,
): Promise<void> {
  const { resumeFromRunId } = params
  if (resumeFromRunId === undefined) return
  // What can't be planned can't be started: the start itself says why.
  const plan = await client.call('run.resumePlan', { ...params, resumeFromRunId }).catch(() => undefined)
  if (plan === undefined) return
  const { err, keyboard } = context
  err.line(describeCost(plan))
  const pays = plan.runs + plan.depends > 0 && plan.estimatedOutputTokens > 0
  if (!pays || yes === true || keyboard === undefined || !err.isTty || json === true || events === '-') return
  err.write('Go on? [Y/n] ')
  const key = await keyboard.read(['y', 'n', ENTER, INTERRUPT])
  err.line(key === 'n' || key === INTERRUPT ? 'no' : 'yes')
  if (key === 'n' || key === INTERRUPT) throw new CliError('REFUSED', 'nothing was started')
}

function describeCost({ replays, runs, depends, estimatedOutputTokens }: ResumePlan): string {
  const replayed = `replays ${plural(replays, 'call')}`
  if (runs + depends === 0) return `${replayed}, runs none`
  const more = depends > 0 ? ` and about ${depends} more that depend on them` : ''
  return `${replayed}, runs ${plural(runs, 'call')}${more}: about ${formatCount(estimatedOutputTokens)} output tokens`
}
