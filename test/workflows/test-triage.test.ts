import { afterAll, describe, expect, test } from 'vitest'
import type { JsonValue } from '../../src/shared/index.ts'
import { createTestEngine } from '../support/engine/run-script.ts'
import { useBundledHost } from '../support/workflows/bundled-host.ts'
import { callsOf, describeBundled } from '../support/workflows/describe-bundled.ts'
import { DEAD, FAILURES, replayBundled, runBundled, SHAPELESS, type Answers } from '../support/workflows/run-bundled.ts'

interface Cause {
  id: string
  tests: { test: string; file: string; seen?: string }[]
  kind?: string
  cause: string
  votes?: string
  why?: string
  refuted?: { diagnosis: string; reasons: string[] }[]
}

/** What the workflow returns. */
interface Report {
  failures: number
  counted: number | null
  rounds: number
  stopped: string
  order: Cause[]
  unverified: Cause[]
  refuted: Cause[]
  undiagnosed: Cause[]
  complete: boolean
}

// The script's result, whose shape the whole-result test holds to.
const asReport = (result: JsonValue): Report => result as unknown as Report

const host = useBundledHost()
const engine = await createTestEngine()
afterAll(() => engine.dispose())

const held = { votes: '2/2', reasons: ['I found no other cause.', 'I found no other cause.'] }

describeBundled('test-triage', host, {
  args: { command: 'npm test' },
  result: {
    failures: 4,
    counted: 3,
    rounds: 3,
    stopped: 'dry',
    order: [
      {
        id: 'c1',
        tests: ['store › opens', 'store › writes'].map((name) => ({
          test: name,
          file: 'test/store.test.js',
          seen: '3/3',
        })),
        kind: 'environment',
        cause: 'Nothing listens on port 5432.',
        place: null,
        evidence: [{ source: 'ss -ltn', quote: '(no line with 5432)' }],
        fix: 'Start the database with docker compose up db.',
        severity: 'high',
        ...held,
      },
      {
        id: 'c2',
        tests: [{ test: 'sum › adds', file: 'test/sum.test.js', seen: '3/3' }],
        kind: 'real',
        cause: 'The loop runs one step past the end.',
        place: 'src/sum.js:4',
        evidence: [{ source: 'src/sum.js:4', quote: 'i <= items.length' }],
        fix: 'Replace <= by <.',
        severity: 'high',
        ...held,
        refuted: [
          {
            diagnosis: 'The order of the tests.',
            reasons: ['It fails in each of five runs, alone too.', 'It fails in each of five runs, alone too.'],
          },
        ],
      },
      {
        id: 'c3',
        tests: [{ test: 'cache › expires', file: 'test/cache.test.js', seen: '1/3' }],
        kind: 'flaky',
        cause: 'The test measures real time.',
        place: 'test/cache.test.js:7',
        evidence: [{ source: 'test/cache.test.js:7', quote: 'Date.now() - start' }],
        fix: 'Use a fake clock.',
        severity: 'low',
        ...held,
      },
    ],
    unverified: [],
    refuted: [],
    undiagnosed: [],
    complete: true,
  },
  phases: { Collect: 3, Cluster: 1, Diagnose: 4, Verify: 8 },
  refusals: [/^the failures could not be read \(its agent failed\)/, /^no test result could be read: /],
  badArgs: [
    [undefined, /^the args can't be used: exactly one of command, log and logPath has to be given/],
    ['npm test', /exactly one of command, log and logPath/],
    [{ command: 'npm test', log: 'FAIL' }, /exactly one of command, log and logPath/],
    [{ command: ' ', votes: 0, maxRounds: 21 }, /exactly one .*; votes has to be .*; maxRounds has to be/],
    [{ command: 'npm test', rounds: 2 }, /"rounds" is unknown/],
  ],
  isHonest(result, events) {
    const report = asReport(result)
    const completed = (wanted: string) =>
      callsOf(events).filter(({ label, done }) => done && label.startsWith(wanted)).length
    const causes = [report.order, report.unverified, report.refuted, report.undiagnosed].flat()
    // Every failure is told of, once.
    expect(causes.flatMap(({ tests }) => tests.map(({ test: name }) => name)).sort()).toHaveLength(report.failures)
    expect(new Set(causes.map(({ id }) => id)).size).toBe(causes.length)
    for (const { id } of report.order) expect(completed('sceptic ') * completed(`diagnose ${id}`)).toBeGreaterThan(0)
    if (report.complete) expect(report.order).toHaveLength(causes.length)
  },
})

const failure = (name: string, message = `${name} failed`, file = 't.js') => ({ test: name, file, message })
const reading = (failures: JsonValue[], failed: number | null = null, again: string[] = []) => ({
  failures,
  again,
  failed,
  error: null,
})
const diagnosis = (kind: string, severity = 'medium') => ({
  kind,
  cause: `It is ${kind}.`,
  place: 'src/a.js:1',
  evidence: [{ source: 'src/a.js:1', quote: 'a' }],
  fix: 'Mend it.',
  severity,
})

/** `own` by label; else readers find nothing, groups are one a failure, diagnoses are real, and sceptics agree. */
const run = (own: Record<string, ReturnType<Answers>>, more: Record<string, JsonValue> = {}, options = {}) => {
  const answers: Answers = ({ label }) => {
    const given = own[label]
    if (given !== undefined) return given
    if (label.startsWith('read')) return reading([])
    if (label.startsWith('cluster')) return { clusters: [] }
    return label.startsWith('sceptic') ? { holds: true, reason: 'Yes.' } : diagnosis('real')
  }
  return runBundled(engine, 'test-triage', answers, { args: { log: 'FAIL a', votes: 1, ...more }, ...options })
}

const testsOf = (causes: Cause[]) => causes.map(({ tests }) => tests.map(({ test: name }) => name).join('+'))

describe('test-triage', () => {
  test('reads on until a round finds nothing new, and tells each reader what is known', async () => {
    const { result, prompts, labels } = await run({
      'read 1': reading([failure('a')]),
      'read 2': reading([failure('a', 'again', ''), failure('b')]),
    })
    expect(labels.filter((label) => label.startsWith('read'))).toEqual(['read 1', 'read 2', 'read 3'])
    expect(asReport(result)).toMatchObject({ failures: 2, rounds: 3, stopped: 'dry', complete: true })
    expect(prompts('read 1')[0]).toContain('<log>\nFAIL a\n</log>')
    expect(prompts('read 2')[0]).toContain('"id": "f1",\n    "test": "a"')
  })

  test('does not take a run for clean at one look, unless the runner itself counts no failure', async () => {
    const unsure = await run({})
    expect(asReport(unsure.result)).toMatchObject({ failures: 0, rounds: 2, stopped: 'dry', order: [], complete: true })
    const sure = await run({ 'read 1': reading([], 0) })
    expect(asReport(sure.result)).toMatchObject({ counted: 0, rounds: 1, stopped: 'dry', complete: true })
    const missed = await run({ 'read 1': reading([failure('a')], 3) }, { maxRounds: 3 })
    expect(asReport(missed.result)).toMatchObject({ failures: 1, counted: 3, stopped: 'rounds', complete: false })
  })

  test('says in how many runs of a command each test failed', async () => {
    const { result, prompts } = await run(
      { 'read 1': reading([failure('a'), failure('b')], 2), 'read 2': reading([failure('a')], 1), 'cluster 1': DEAD },
      { command: 'npm test', log: undefined as unknown as JsonValue },
    )
    expect(prompts('read 1')[0]).toContain('\n\nnpm test\n\n')
    expect(asReport(result).order.map(({ tests }) => tests[0]?.seen)).toEqual(['2/2', '1/2'])
  })

  test('has every failure in one cluster, whatever its agent forgot or made up', async () => {
    const { result } = await run({
      'read 1': reading(['a', 'b', 'c', 'd'].map((name) => failure(name))),
      'cluster 1': {
        clusters: [
          { cause: 'One.', failures: ['f1', 'f9', 'f1'] },
          { cause: 'Two.', failures: ['f1', 'f3'] },
          { cause: 'None.', failures: ['f8'] },
        ],
      },
    })
    expect(testsOf(asReport(result).order).sort()).toEqual(['a', 'b', 'c', 'd'])
    expect(new Set(asReport(result).order.map(({ id }) => id))).toEqual(new Set(['c1', 'c2', 'c3', 'c4']))
  })

  test.each(FAILURES)('groups by message when its agent fails (it %s)', async (_how, dead) => {
    const { result, logs } = await run({
      'read 1': reading([failure('a', 'port 80 is taken'), failure('b', 'other'), failure('c', 'port 81 is taken\nx')]),
      'cluster 1': dead,
    })
    expect(testsOf(asReport(result).order)).toEqual(['a+c', 'b'])
    expect(logs[0]).toContain('Grouping failed in round 1')
  })

  test('has a refuted diagnosis made again with the reasons, and reports one that stays refuted', async () => {
    const no = (reason: string) => ({ holds: false, reason })
    const { result, prompts } = await run({
      'read 1': reading([failure('a', 'x'), failure('b', 'y')]),
      'diagnose c1': diagnosis('flaky'),
      'sceptic 1 · c1': no('It fails each time.'),
      'sceptic 1 · c2': no('No.'),
      'sceptic 1 · c2 · attempt 2': no('Still no.'),
    })
    expect(prompts('diagnose c1 · attempt 2')[0]).toContain('"It fails each time."')
    expect(asReport(result)).toMatchObject({
      rounds: 2,
      stopped: 'dry',
      order: [{ id: 'c1', kind: 'real', refuted: [{ diagnosis: 'It is flaky.', reasons: ['It fails each time.'] }] }],
      refuted: [{ id: 'c2', votes: '0/1', refuted: [{ reasons: ['No.'] }] }],
      complete: false,
    })
    const short = await run({ 'read 1': reading([failure('a')]), 'sceptic 1 · c1': no('No.') }, { maxRounds: 1 })
    expect(asReport(short.result)).toMatchObject({
      stopped: 'rounds',
      refuted: [{ id: 'c1', why: 'there was no further round to diagnose it again', refuted: [{ reasons: ['No.'] }] }],
    })
  })

  test('never takes a sceptic that died for one that refuted, nor a dead diagnosis for one', async () => {
    const { result, state } = await run({
      'read 1': reading([failure('a', 'x'), failure('b', 'y'), failure('c', 'z')]),
      'sceptic 1 · c1': DEAD,
      'diagnose c2': SHAPELESS,
      'diagnose c3': diagnosis('unknown'),
    })
    expect(asReport(result)).toMatchObject({
      order: [],
      unverified: [{ id: 'c1', votes: '0/0', kind: 'real' }],
      undiagnosed: [
        { id: 'c2', why: 'its agent failed' },
        { id: 'c3', why: 'It is unknown.' },
      ],
      refuted: [],
      stopped: 'dry',
      complete: false,
    })
    expect(state.degraded).toBe(true)
  })

  test('puts the machine first, then what is real and grave, then what is flaky', async () => {
    const kinds = [
      diagnosis('flaky', 'high'),
      diagnosis('real', 'low'),
      diagnosis('real', 'high'),
      diagnosis('environment', 'low'),
    ]
    const { result } = await run({
      'read 1': reading(kinds.map((_, n) => failure(`t${n}`, 'expected false to be true'))),
      ...Object.fromEntries(kinds.map((kind, n) => [`diagnose c${n + 1}`, kind])),
    })
    expect(asReport(result).order.map(({ id }) => id)).toEqual(['c4', 'c3', 'c2', 'c1'])
  })

  test('throws when the first reader fails or could not run anything, and goes on when a later one fails', async () => {
    const first = await run({ 'read 1': DEAD })
    expect(first.state.error?.message).toMatch(/^the failures could not be read/)
    const error = await run({ 'read 1': { ...reading([]), error: 'npm: not found' } })
    expect(error.state.error?.message).toBe('no test result could be read: npm: not found')
    const later = await run({ 'read 1': reading([failure('a')]), 'read 2': DEAD })
    expect(asReport(later.result)).toMatchObject({ rounds: 3, stopped: 'dry', order: [{ id: 'c1' }] })
  })

  test('begins no round that would cost more than is left of the budget, nor one of too many agents', async () => {
    // The first round takes three agents at 10 tokens each, the second one.
    const found = { 'read 1': reading([failure('a')], 9) }
    const { result, state, logs } = await run(found, { maxRounds: 9 }, { budgetTokens: 65 })
    expect(asReport(result)).toMatchObject({ rounds: 2, stopped: 'budget', order: [{ id: 'c1' }], complete: false })
    expect(state.degraded).toBe(false)
    expect(logs.at(-1)).toBe('Stopping before round 3: 25 tokens left, the dearest round took 30')
    const many = Object.fromEntries(
      [1, 2].map((round) => [
        `read ${round}`,
        reading(Array.from({ length: 50 }, (_, n) => failure(`t${round}-${n}`, `m${round}${'x'.repeat(n)}`))),
      ]),
    )
    const crowd = await run(many, { votes: 9 })
    expect(asReport(crowd.result)).toMatchObject({
      rounds: 1,
      stopped: 'agents',
      order: { length: 50 },
      complete: false,
    })
  })

  test('reports what the budget left without a diagnosis or a verdict', async () => {
    const found = { 'read 1': reading([failure('a', 'x'), failure('b', 'y')]) }
    const one = { maxConcurrentAgents: 1 }
    const none = await run(found, {}, { ...one, budgetTokens: 30 })
    expect(asReport(none.result)).toMatchObject({ unverified: [{ id: 'c1' }], undiagnosed: [{ id: 'c2' }] })
    expect(none.state).toMatchObject({ status: 'completed', degraded: true })
  })

  test('is replayed whole when nothing has changed', async () => {
    const args = { command: 'npm test', votes: 2 }
    const own: Record<string, ReturnType<Answers>> = {
      'read 1': reading([failure('a', 'x'), failure('b', 'y')], 2),
      'read 2': reading([failure('c')], 3, ['f1']),
      'sceptic 1 · c1': { holds: false, reason: 'No.' },
    }
    const options = { args, budgetTokens: 1000 }
    const first = await run(own, { ...args, log: undefined as unknown as JsonValue }, options)
    expect(asReport(first.result).stopped).toBe('dry')
    expect(await replayBundled(engine, 'test-triage', first, options)).toEqual({
      labels: [],
      replayed: first.labels.length,
      same: true,
    })
  })
})
