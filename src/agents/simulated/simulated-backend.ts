// Back end `simulated`: runs nothing and answers from fixtures, from an earlier run, or from each call's schema. It starts no
// process and touches no file.

import type { AgentBackend, AgentRequest, AgentRunResult, Clock } from '../../engine/index.ts'
import type { AgentProgress, BackendCapabilities, Usage } from '../../shared/index.ts'
import { answerCall, type AnswerSources, type Decision, type RecordedAnswer } from './answer-call.ts'
import { estimateCall, type Estimate, type History } from './estimate.ts'
import type { Fixtures } from './fixtures-schema.ts'
import type { AnswerGenerator } from './generate/answer-generator.ts'
import { createFixtureMatcher } from './match-fixtures.ts'
import { CANCELLED, playCall } from './play-call.ts'
import { createRandom, toSeed } from './random.ts'

export interface SimulatedBackendOptions {
  /** Default `simulated`. */
  id?: string
  /** The run's clock: on a virtual one, calls take their estimated time at once. */
  clock: Clock
  /** Shared by all simulated back ends of a host. */
  generator: AnswerGenerator
  /** What answers, durations and failures are derived from, beside each call's key. Default: the fixtures' seed, else 0. */
  seed?: number
  fixtures?: Fixtures
  /** Answers of an earlier run; asked for calls that no fixture fits. */
  recorded?: (request: AgentRequest) => RecordedAnswer | undefined
  /** Asked for calls whose duration or tokens neither a fixture nor a recorded answer gives. */
  history?: History
  /** 0 to 1: the share of calls that fail, picked by their keys and the seed; all attempts of a call alike. */
  failRate?: number
  /** Labels or paths of calls that fail. */
  failCalls?: readonly string[]
  /** In real time, milliseconds between two signs of life of an agent. Default 150. */
  paceMs?: number
}

const CAPABILITIES: BackendCapabilities = {
  schema: 'native',
  models: true,
  effort: true,
  agentType: true,
  allowedTools: true,
  // Nothing is touched, so nothing has to be kept apart.
  worktree: true,
  usage: 'estimated',
  cost: false,
  steer: false,
  permissions: true,
  resumeSession: false,
}

export function createSimulatedBackend(options: SimulatedBackendOptions): AgentBackend {
  const { clock, generator, fixtures } = options
  const seed = options.seed ?? fixtures?.seed ?? 0
  const sources: AnswerSources = {
    seed,
    generator,
    now: () => clock.now(),
    fixturesOnly: fixtures?.otherwise === 'fail',
    failRate: options.failRate ?? 0,
    failCalls: new Set(options.failCalls),
    ...(fixtures && { matchFixture: createFixtureMatcher(fixtures, (tests) => generator.match(tests)) }),
    ...(options.recorded && { recorded: options.recorded }),
  }

  const run = async (
    request: AgentRequest,
    signal: AbortSignal,
    onProgress: (progress: AgentProgress) => void,
  ): Promise<AgentRunResult> => {
    if (signal.aborted) return CANCELLED
    const random = createRandom(toSeed('course', seed, request.key))
    const release = clock.hold()
    try {
      const decision = await unlessAborted(answerCall(request, sources), signal)
      if (decision === undefined) return CANCELLED
      const estimate = toEstimate(request, decision, random, options.history)
      const stage = { clock, random, paceMs: options.paceMs ?? 150 }
      return await playCall(request, decision, estimate, stage, signal, onProgress, release)
    } finally {
      release()
    }
  }

  return {
    id: options.id ?? 'simulated',
    kind: 'simulated',
    capabilities: CAPABILITIES,
    runner: { run: (request, _host, signal, onProgress) => run(request, signal, onProgress) },
  }
}

function toEstimate(
  request: AgentRequest,
  decision: Decision,
  random: () => number,
  history: History | undefined,
): Estimate {
  const { result, recorded, fixture } = decision
  const known =
    (recorded?.durationMs !== undefined && recorded.usage !== undefined) ||
    (fixture?.delayMs !== undefined && fixture.usage?.outputTokens !== undefined)
  const output = result.kind === 'ok' ? result.output : ''
  const estimate = estimateCall(request, output, random, known ? undefined : history)
  const usage: Usage = { ...(recorded?.usage ?? estimate.usage), ...withoutUndefined(fixture?.usage ?? {}) }
  return { durationMs: recorded?.durationMs ?? estimate.durationMs, usage }
}

function withoutUndefined(usage: { [Name in keyof Usage]?: number | undefined }): Partial<Usage> {
  return Object.fromEntries(Object.entries(usage).filter(([, count]) => count !== undefined))
}

/** Undefined as soon as the signal aborts, whatever becomes of the promise. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  let onAbort = (): void => {}
  const aborted = new Promise<undefined>((resolve) => {
    onAbort = () => {
      resolve(undefined)
    }
    signal.addEventListener('abort', onAbort, { once: true })
  })
  promise.catch(() => {})
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
