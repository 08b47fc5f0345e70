// What has to hold of every bundled workflow, whatever it does.

import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { EMPTY_RUN, foldRunAll, isJsonObject, type JsonValue, type RunEvent } from '../../../src/shared/index.ts'
import { parseFixtures } from '../../../src/agents/simulated/load-fixtures.ts'
import { readBundled, withoutIdentity, type BundledHost } from './bundled-host.ts'

export interface BundledExpectations {
  /** Args it needs; none where it works without. */
  args?: JsonValue
  /** Its result with its own fixtures, whole. */
  result: JsonValue
  /** Agents of each phase with its own fixtures. */
  phases: Record<string, number>
  /** What it may say when so many agents failed that it has nothing to report. */
  refusals: readonly RegExp[]
  /** Args that it refuses, and what it says. */
  badArgs: readonly [given: JsonValue | undefined, says: RegExp][]
  /** Holds of a run that completed in spite of failures. */
  isHonest?(result: JsonValue, events: readonly RunEvent[]): void
}

const SEEDS = [1, 2, 3, 4]

export function describeBundled(name: string, host: BundledHost, expected: BundledExpectations): void {
  const given = expected.args === undefined ? {} : { args: expected.args }
  const own = () => parseFixtures(readBundled(`${name}.fixtures.json`), name)

  describe(`${name}, like every bundled workflow,`, () => {
    test('has nothing that the editor would mark', async () => {
      expect(await host.diagnose(name)).toEqual([])
    })

    test('has a form for its args that takes what it takes, with its own defaults, and refuses what it refuses', async () => {
      const schema = argsSchemaOf(name)
      const isValid = new Ajv2020({ strictTypes: false }).compile(schema)
      const usual = { ...defaultsOf(schema), ...(isJsonObject(expected.args) && expected.args) }
      expect([isValid(expected.args ?? {}), isValid(usual)]).toEqual([true, true])
      expect(expected.badArgs.filter(([bad]) => isValid(bad ?? {}))).toEqual([])
      const { envelope } = await host.dryRun(name, { args: usual })
      expect(envelope).toMatchObject({ outcome: 'completed', result: expected.result })
    })

    test('gives with its fixtures the result that they tell of', async () => {
      const { envelope, plan } = await host.dryRun(name, given)
      expect(envelope).toMatchObject({ workflow: name, outcome: 'completed', degraded: false, error: null })
      expect(envelope.result).toEqual(expected.result)
      expect(Object.fromEntries(plan.phases.map(({ title, agents }) => [title, agents]))).toEqual(expected.phases)
      expect(plan.estimate.basis).toBe('fixtures')
      expect(plan.unreached).toEqual([])
    })

    test('goes through the phases that it announces, in their order', async () => {
      const { events } = await host.dryRun(name, given)
      const { info, phases } = foldRunAll(EMPTY_RUN, events)
      const announced = info?.meta.phases?.map(({ title }) => title)
      expect(phases.map(({ title }) => title)).toEqual(announced)
      expect(announced).toEqual(Object.keys(expected.phases))
      const begun = events.flatMap((event) => (event.type === 'phase-started' ? [event.title] : []))
      expect(begun).toEqual(announced)
    })

    test('does the same again, event for event, with the same seed, however many agents run at once', async () => {
      for (const maxConcurrentAgents of [1, 16]) {
        const wish = { ...given, seed: 5, maxConcurrentAgents }
        const first = await host.dryRun(name, wish)
        const second = await host.dryRun(name, wish)
        expect(withoutIdentity(second.events)).toEqual(withoutIdentity(first.events))
        expect(second.envelope.result).toEqual(first.envelope.result)
        expect(first.envelope.result).toEqual(expected.result)
      }
    })

    test('has no fixture that is never used, and one for every call', async () => {
      const fixtures = { ...own(), otherwise: 'fail' as const }
      const whole = await host.dryRun(name, { ...given, fixtures })
      expect(whole.envelope).toMatchObject({ degraded: false, result: expected.result })
      const runs = await Promise.all(
        fixtures.calls.map(async (_, index) => {
          const calls = fixtures.calls.filter((_call, at) => at !== index)
          const { events } = await host.dryRun(name, { ...given, fixtures: { ...fixtures, calls } })
          return { index, same: isSame(events, whole.events) }
        }),
      )
      expect(runs.filter(({ same }) => same)).toEqual([])
    })

    test('ends without fixtures, with answers made up from its schemas', async () => {
      for (const seed of [1, 2, 3]) {
        const { envelope } = await host.dryRun(name, { ...given, seed, fixtures: { calls: [] } })
        expect(envelope).toMatchObject({ outcome: 'completed', error: null })
        expect(envelope.agentsStarted).toBeLessThan(1000)
      }
    })

    test.each(SEEDS)('survives every third agent failing, with seed %i', async (seed) => {
      const { envelope, events } = await host.dryRun(name, { ...given, seed, failRate: 0.3 })
      expectEnd(envelope, expected.refusals)
      expect(envelope.degraded).toBe(envelope.calls.failed > 0)
      if (envelope.outcome === 'completed') expected.isHonest?.(envelope.result, events)
    })

    test('ends with agents that all fail, whatever stands in the fixtures', async () => {
      const { envelope, events } = await host.dryRun(name, { ...given, failRate: 1 })
      expectEnd(envelope, expected.refusals)
      if (envelope.outcome === 'completed') expected.isHonest?.(envelope.result, events)
    })

    test('ends with agents that are all skipped', async () => {
      const { envelope } = await host.dryRun(name, { ...given, fixtures: { calls: [{ skip: true }] } })
      expectEnd(envelope, expected.refusals)
    })

    test('survives answers that match no schema', async () => {
      for (const nth of [1, 2, 3, 4, 5, 6]) {
        const calls = [{ match: { nth }, answer: { nonsense: true } }, ...own().calls]
        const { envelope } = await host.dryRun(name, { ...given, fixtures: { calls } })
        if (envelope.error?.code !== 'STRUCTURED_OUTPUT') expectEnd(envelope, expected.refusals)
      }
    })

    test.each([1, 400, 1200, 2500])('survives a budget of %i tokens', async (budgetTokens) => {
      const { envelope, events } = await host.dryRun(name, { ...given, budgetTokens })
      expectEnd(envelope, expected.refusals)
      if (envelope.outcome === 'completed') expected.isHonest?.(envelope.result, events)
    })

    test.each(expected.badArgs)('refuses the args %j before it starts an agent', async (args, says) => {
      // By itself, without the schema beside it that would refuse most of them before.
      const { envelope } = await host.dryRun(name, { alone: true, ...(args !== undefined && { args }) })
      expect(envelope).toMatchObject({ outcome: 'error', agentsStarted: 0 })
      expect(envelope.error?.message).toMatch(says)
    })
  })
}

function argsSchemaOf(name: string): Record<string, JsonValue> {
  const schema = JSON.parse(readBundled(`${name}.args.schema.json`)) as JsonValue // What JSON.parse makes is JSON data.
  return isJsonObject(schema) ? schema : expect.unreachable('a schema is an object')
}

function defaultsOf({ properties }: Record<string, JsonValue>): Record<string, JsonValue> {
  const fields = isJsonObject(properties) ? Object.entries(properties) : []
  return Object.fromEntries(
    fields.flatMap(([field, schema]) =>
      isJsonObject(schema) && schema['default'] !== undefined ? [[field, schema['default']]] : [],
    ),
  )
}

/** Completed, or ended by the script's own clear word: never by a mistake in the script. */
function expectEnd(envelope: { outcome: string; error: object | null }, refusals: readonly RegExp[]): void {
  if (envelope.outcome === 'completed') return
  expect(envelope).toMatchObject({
    outcome: 'error',
    error: {
      name: 'Error',
      code: 'SCRIPT_ERROR',
      message: expect.toSatisfy((message: string) => refusals.some((refusal) => refusal.test(message))),
    },
  })
}

/** Every call with its label and how it ended. */
export function callsOf(events: readonly RunEvent[]): { label: string; done: boolean }[] {
  const ended = new Map(events.flatMap((event) => (event.type === 'agent-ended' ? [[event.agent, event.outcome]] : [])))
  return events.flatMap((event) =>
    event.type === 'agent-queued' ? [{ label: event.label, done: ended.get(event.agent) === 'completed' }] : [],
  )
}

function isSame(left: readonly RunEvent[], right: readonly RunEvent[]): boolean {
  return JSON.stringify(withoutIdentity(left)) === JSON.stringify(withoutIdentity(right))
}
