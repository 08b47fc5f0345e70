// Which fixture a call gets. Counting is by call, not by attempt: a retried call is still the same use of its fixture.

import type { AgentRequest } from '../../engine/index.ts'
import type { Fixture, Fixtures } from './fixtures-schema.ts'

export interface FixtureHit {
  fixture: Fixture
  /** Its place in the file's `calls`. */
  index: number
}

/** Whether each pattern matches its text; the patterns come from a file and may backtrack for ever. */
export type MatchPatterns = (tests: { pattern: string; text: string }[]) => Promise<boolean[]>

export type FixtureMatcher = (request: AgentRequest) => Promise<FixtureHit | undefined>

/** The first fixture that fits a request. Calls are counted in the order in which they ask. */
export function createFixtureMatcher(fixtures: Fixtures, matchPatterns: MatchPatterns): FixtureMatcher {
  const runs = new Map<string, RunCounts>()
  let last: Promise<unknown> = Promise.resolve()
  return (request) => {
    let counts = runs.get(request.runId)
    if (counts === undefined) runs.set(request.runId, (counts = new RunCounts()))
    const known = counts
    // One after the other, for patterns are matched elsewhere and calls must be counted in their order.
    const found = last.then(() => findFixture(fixtures, request, known, matchPatterns))
    last = found.catch(() => {})
    return found
  }
}

async function findFixture(
  fixtures: Fixtures,
  request: AgentRequest,
  counts: RunCounts,
  matchPatterns: MatchPatterns,
): Promise<FixtureHit | undefined> {
  const candidates = [...fixtures.calls.entries()].filter(([, fixture]) => fitsTexts(fixture, request))
  const tests = candidates.flatMap(([index, fixture]) => toTests(fixture, request).map((test) => ({ ...test, index })))
  const matched = tests.length === 0 ? [] : await matchPatterns(tests.map(({ pattern, text }) => ({ pattern, text })))
  const failed = new Set(tests.filter((_, n) => matched[n] !== true).map(({ index }) => index))
  let hit: FixtureHit | undefined
  for (const [index, fixture] of candidates) {
    if (failed.has(index)) continue
    // Every fixture counts every call that fits it, also one that an earlier fixture answers.
    const nth = counts.count(index, request.agent)
    const { match = {} } = fixture
    if (match.nth !== undefined && match.nth !== nth) continue
    if (match.attempt !== undefined && match.attempt !== request.attempt) continue
    hit ??= { fixture, index }
  }
  return hit
}

function fitsTexts({ match = {} }: Fixture, request: AgentRequest): boolean {
  return (
    (match.label === undefined || match.label === request.label) &&
    (match.promptIncludes === undefined || request.prompt.includes(match.promptIncludes)) &&
    (match.phase === undefined || match.phase === request.phase) &&
    (match.path === undefined || match.path === request.path)
  )
}

function toTests({ match = {} }: Fixture, request: AgentRequest): { pattern: string; text: string }[] {
  const tests: { pattern: string; text: string }[] = []
  if (match.labelMatches !== undefined) tests.push({ pattern: match.labelMatches, text: request.label })
  if (match.promptMatches !== undefined) tests.push({ pattern: match.promptMatches, text: request.prompt })
  return tests
}

class RunCounts {
  readonly #counts = new Map<number, Map<number, number>>()

  /** Which of the calls that fit fixture `index` this one is, from 1. */
  count(index: number, agent: number): number {
    let calls = this.#counts.get(index)
    if (calls === undefined) this.#counts.set(index, (calls = new Map()))
    let nth = calls.get(agent)
    if (nth === undefined) calls.set(agent, (nth = calls.size + 1))
    return nth
  }
}
