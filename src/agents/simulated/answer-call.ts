// Decides what a simulated call answers: an injected failure, a fixture, a recorded answer, or one made from its schema.

import type { AgentRequest, AgentRunResult } from '../../engine/index.ts'
import type { AgentProgress, FailureKind, JsonValue, Usage } from '../../shared/index.ts'
import { AgentsError, messageOf } from '../errors.ts'
import type { Fixture } from './fixtures-schema.ts'
import type { FixtureHit, FixtureMatcher } from './match-fixtures.ts'
import { CANDIDATES } from './generate/answer-messages.ts'
import type { AnswerGenerator } from './generate/answer-generator.ts'
import { writeText } from './prose.ts'
import { createRandom, toSeed } from './random.ts'

/** An earlier run's answer to the same call. */
export interface RecordedAnswer {
  output: JsonValue
  usage?: Usage
  durationMs?: number
}

/** What will come of the call, before it has taken any time. */
export interface Decision {
  /** `ok` without its usage, which the estimate gives. */
  result: { kind: 'ok'; output: JsonValue } | { kind: 'skipped' } | Extract<AgentRunResult, { kind: 'dead' }>
  /** Wrong answers on the way, each shown as it is refused. */
  rejected: Extract<AgentProgress, { kind: 'rejected' }>[]
  fixture?: Fixture
  recorded?: RecordedAnswer
}

export interface AnswerSources {
  seed: number
  generator: AnswerGenerator
  now(): number
  matchFixture?: FixtureMatcher
  /** True when a call that no fixture fits fails. */
  fixturesOnly: boolean
  recorded?: (request: AgentRequest) => RecordedAnswer | undefined
  /** 0 to 1. */
  failRate: number
  /** Labels or paths. */
  failCalls: ReadonlySet<string>
}

export async function answerCall(request: AgentRequest, sources: AnswerSources): Promise<Decision> {
  const injected = injectFailure(request, sources)
  // A fixture counts the call even where a failure is injected, so that the others stay the nth ones they were.
  let hit: FixtureHit | undefined
  try {
    hit = await sources.matchFixture?.(request)
  } catch (error) {
    return { result: dead(`The patterns of the fixtures can't be matched: ${messageOf(error)}`, 'other'), rejected: [] }
  }
  if (injected !== undefined) return { result: dead(injected, 'other'), rejected: [] }
  if (hit !== undefined) return fromFixture(request, hit, sources)
  if (sources.fixturesOnly) {
    const where = request.phase === null ? '' : ` in phase "${request.phase}"`
    return {
      result: dead(`No fixture fits the call "${request.label}"${where} at ${request.path}.`, 'other'),
      rejected: [],
    }
  }
  const recorded = sources.recorded?.(request)
  if (recorded === undefined) return generate(request, sources)
  return { ...(await judge(request, recorded.output, 'The recorded answer', [])), recorded }
}

function injectFailure(request: AgentRequest, sources: AnswerSources): string | undefined {
  if (sources.failCalls.has(request.label)) return `Injected failure: "${request.label}" is among the calls to fail.`
  if (sources.failCalls.has(request.path)) return `Injected failure: ${request.path} is among the calls to fail.`
  if (createRandom(toSeed('fail', sources.seed, request.key))() >= sources.failRate) return undefined
  return `Injected failure: one of the ${Math.round(sources.failRate * 100)} % of calls to fail with seed ${sources.seed}.`
}

function dead(error: string, failure: FailureKind): Extract<AgentRunResult, { kind: 'dead' }> {
  return { kind: 'dead', error, failure }
}

async function fromFixture(
  request: AgentRequest,
  { fixture, index }: FixtureHit,
  sources: AnswerSources,
): Promise<Decision> {
  const rejected: Decision['rejected'] = []
  for (const answer of fixture.invalid ?? []) {
    // Fixtures are read from a JSON file: their answers are JSON.
    const outcome = await offer(request, answer as JsonValue, rejected)
    if (outcome) return { result: outcome, rejected, fixture }
  }
  const decision = await outcomeOf(request, fixture, index, rejected, sources)
  return { ...decision, fixture }
}

async function outcomeOf(
  request: AgentRequest,
  fixture: Fixture,
  index: number,
  rejected: Decision['rejected'],
  sources: AnswerSources,
): Promise<Decision> {
  if (fixture.skip) return { result: { kind: 'skipped' }, rejected }
  if (fixture.error !== undefined) return { result: toDead(fixture.error, sources.now()), rejected }
  if (fixture.answer === undefined) {
    const generated = await generate(request, sources)
    return { ...generated, rejected: [...rejected, ...generated.rejected] }
  }
  return judge(request, fixture.answer as JsonValue, `The answer of fixture ${index + 1}`, rejected)
}

function toDead(error: NonNullable<Fixture['error']>, now: number): Extract<AgentRunResult, { kind: 'dead' }> {
  if (typeof error === 'string') return dead(error, 'other')
  return {
    ...dead(error.message, error.failure ?? 'other'),
    ...(error.retryAfterMs !== undefined && { retryAt: now + error.retryAfterMs }),
    ...(error.partial !== undefined && { partial: error.partial }),
    ...(error.notStarted !== undefined && { notStarted: error.notStarted }),
  }
}

// A wrong answer as an agent would give it. The result is set when it ends the call: accepted after all, or one too many.
async function offer(
  request: AgentRequest,
  answer: JsonValue,
  rejected: Decision['rejected'],
): Promise<Decision['result'] | undefined> {
  if (request.structured === undefined) return { kind: 'ok', output: toText(answer) }
  const verdict = await request.structured.validate(answer, 'plain')
  if (verdict.ok) return { kind: 'ok', output: verdict.value }
  rejected.push({ kind: 'rejected', errors: verdict.errors, answer: toText(answer) })
  if (rejected.length <= request.structured.maxRetries) return undefined
  return {
    ...dead(`None of ${rejected.length} answers matched the schema: ${verdict.errors.join('; ')}`, 'schema'),
    partial: toText(answer),
    rejections: rejected.length,
  }
}

async function judge(
  request: AgentRequest,
  answer: JsonValue,
  whose: string,
  rejected: Decision['rejected'],
): Promise<Decision> {
  if (request.structured === undefined) return { result: { kind: 'ok', output: toText(answer) }, rejected }
  const verdict = await request.structured.validate(answer, 'plain')
  if (verdict.ok) return { result: { kind: 'ok', output: verdict.value }, rejected }
  // There is no second answer to hope for: what does not fit is a mistake in the file, and is said so.
  return {
    result: {
      ...dead(`${whose} does not match the schema of "${request.label}": ${verdict.errors.join('; ')}`, 'schema'),
      partial: toText(answer),
      rejections: rejected.length + 1,
    },
    rejected: [...rejected, { kind: 'rejected', errors: verdict.errors, answer: toText(answer) }],
  }
}

function toText(answer: JsonValue): string {
  return typeof answer === 'string' ? answer : JSON.stringify(answer)
}

async function generate(request: AgentRequest, sources: AnswerSources): Promise<Decision> {
  const seed = toSeed('answer', sources.seed, request.key)
  const { structured } = request
  if (structured === undefined) {
    return { result: { kind: 'ok', output: writeText(request.prompt, createRandom(seed)) }, rejected: [] }
  }
  let problem = ''
  for (let candidate = 0; candidate < CANDIDATES; candidate++) {
    try {
      const answer = await sources.generator.answer(structured.schema, seed, candidate)
      const verdict = await structured.validate(answer, 'plain')
      if (verdict.ok) return { result: { kind: 'ok', output: verdict.value }, rejected: [] }
      problem = verdict.errors.join('; ')
    } catch (error) {
      problem = messageOf(error)
      // It took too long or too much memory, and so would the next.
      if (error instanceof AgentsError && error.code !== 'TASK_FAILED') break
    }
  }
  return {
    result: dead(
      `No answer could be made up that the schema of "${request.label}" accepts (${problem}). Give one in the fixtures file.`,
      'schema',
    ),
    rejected: [],
  }
}
