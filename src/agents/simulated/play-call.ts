// Lets a decided call take its time and be seen doing something, in virtual or in real time.

import type { AgentRequest, AgentRunResult, Clock } from '../../engine/index.ts'
import type { AgentProgress, JsonValue } from '../../shared/index.ts'
import type { Decision } from './answer-call.ts'
import type { Estimate } from './estimate.ts'
import type { Fixture, FixtureProgressStep } from './fixtures-schema.ts'
import { imagineProgress } from './prose.ts'
import type { Random } from './random.ts'

export interface Stage {
  clock: Clock
  /** Real time between two signs of life. */
  paceMs: number
  random: Random
}

export const CANCELLED: AgentRunResult = { kind: 'dead', error: 'The call was cancelled.', failure: 'other' }

/** Plays the call; `release` gives up the hold on the clock under which it was decided. */
export async function playCall(
  request: AgentRequest,
  decision: Decision,
  estimate: Estimate,
  stage: Stage,
  signal: AbortSignal,
  onProgress: (progress: AgentProgress) => void,
  release: () => void,
): Promise<AgentRunResult> {
  const steps = toSteps(decision, stage)
  const pause = toPause(decision, estimate, steps.length, stage)
  let letGo = release
  // Time may pass only while this call sleeps: it is let go after the sleep has begun, and held again before anything else.
  const passTime = async (): Promise<boolean> => {
    const slept = stage.clock.sleep(pause, signal)
    letGo()
    await slept
    letGo = stage.clock.hold()
    return !signal.aborted
  }
  try {
    for (const step of steps) {
      if (!(await passTime())) return CANCELLED
      onProgress(step)
    }
    if (!(await passTime())) return CANCELLED
    return await finish(request, decision, estimate, signal)
  } finally {
    letGo()
  }
}

async function finish(
  request: AgentRequest,
  decision: Decision,
  estimate: Estimate,
  signal: AbortSignal,
): Promise<AgentRunResult> {
  const refusal = await askPermission(request, decision.fixture?.permission)
  if (signal.aborted) return CANCELLED
  if (refusal) return refusal.kind === 'ok' ? { ...refusal, usage: estimate.usage } : refusal
  const { result } = decision
  if (result.kind === 'skipped') return result
  if (result.kind === 'dead') return result.notStarted ? result : { ...result, usage: estimate.usage }
  const rejections = decision.rejected.length
  return { ...result, usage: estimate.usage, ...(rejections > 0 && { rejections }) }
}

// Undefined when the call goes on: nobody asked, nobody to ask (a simulated agent does nothing that could be harmful), or allowed.
async function askPermission(
  request: AgentRequest,
  permission: Fixture['permission'],
): Promise<Decision['result'] | undefined> {
  if (permission === undefined || request.askPermission === undefined) return undefined
  const { answer } = await request.askPermission({
    id: `${request.agent}.${request.attempt}`,
    title: permission.title,
    options: permission.options ?? ['allow-once', 'allow-run', 'reject'],
    ...(permission.detail !== undefined && { detail: permission.detail }),
  })
  if (answer !== 'reject') return undefined
  if (permission.rejected === undefined) {
    return { kind: 'dead', error: `Permission was refused: ${permission.title}`, failure: 'refused' }
  }
  // From a JSON file.
  const output = permission.rejected as JsonValue
  const { structured } = request
  if (structured === undefined)
    return { kind: 'ok', output: typeof output === 'string' ? output : JSON.stringify(output) }
  const verdict = await structured.validate(output, 'plain')
  if (verdict.ok) return { kind: 'ok', output: verdict.value }
  return {
    kind: 'dead',
    error: `The fixture's answer after a refusal does not match: ${verdict.errors.join('; ')}`,
    failure: 'schema',
  }
}

function toSteps(decision: Decision, stage: Stage): AgentProgress[] {
  const told = decision.fixture?.progress
  if (told) return [...told.map(toProgress), ...decision.rejected]
  // In a dry run nobody looks at an agent working; what it would have been seen doing costs time and says nothing.
  if (stage.clock.virtual) return decision.rejected
  const { result } = decision
  const text = result.kind === 'ok' && typeof result.output === 'string' ? result.output : undefined
  return [...imagineProgress(text, stage.random), ...decision.rejected]
}

function toProgress(step: FixtureProgressStep): AgentProgress {
  if (typeof step === 'string') return { kind: 'text', text: step }
  const { tool, title, input, output, status } = step
  return {
    kind: 'tool',
    tool,
    ...(title !== undefined && { title }),
    // From a JSON file.
    ...(input !== undefined && { input: input as JsonValue }),
    ...(output !== undefined && { output }),
    ...(status !== undefined && { status }),
  }
}

// The whole duration is spread evenly around the steps.
function toPause(decision: Decision, estimate: Estimate, steps: number, stage: Stage): number {
  const fixed = decision.fixture?.delayMs
  if (fixed !== undefined) return fixed / (steps + 1)
  return stage.clock.virtual ? estimate.durationMs / (steps + 1) : stage.paceMs
}
