import { afterAll, describe, expect, test } from 'vitest'
import type { JsonValue } from '../../src/shared/index.ts'
import { createTestEngine } from '../support/engine/run-script.ts'
import { useBundledHost } from '../support/workflows/bundled-host.ts'
import { callsOf, describeBundled } from '../support/workflows/describe-bundled.ts'
import { DEAD, FAILURES, replayBundled, runBundled, SHAPELESS, type Answers } from '../support/workflows/run-bundled.ts'

/** What the workflow returns. */
interface Report {
  answer: string | null
  winner: string | null
  decidedBy: string | null
  reasons: string[]
  graft: { state: string; text?: string } | null
  standing: { angle: string; total: number; firsts: number; averages: Record<string, number | null>; text: string }[]
  judges: { asked: number; answered: number }
  missing: string[]
  complete: boolean
}

// The script's result, whose shape the whole-result test holds to.
const asReport = (result: JsonValue): Report => result as unknown as Report

const host = useBundledHost()
const engine = await createTestEngine()
afterAll(() => engine.dispose())

const task = 'How should jobs be stored?'
const thrice = (words: string) => [words, words, words]

describeBundled('judge-panel', host, {
  args: { task },
  result: {
    task,
    answer: 'Use a queue with a limit.',
    winner: 'simplest',
    decidedBy: 'tie-break',
    reasons: ['It does what is asked with the least.', 'Nothing in it is superfluous.'],
    graft: {
      state: 'accepted',
      taken: ['The limit of robust.'],
      text: 'Use a queue with a limit.',
      reason: 'Without a limit the queue grows for ever.',
    },
    standing: [
      {
        angle: 'simplest',
        total: 72,
        firsts: 3,
        averages: { correctness: 9, completeness: 6.33, clarity: 8.67 },
        best: thrice('What is best in simplest.'),
        worst: thrice('What is worst in simplest.'),
        text: 'Use a queue.',
      },
      {
        angle: 'robust',
        total: 72,
        firsts: 3,
        averages: { correctness: 8.33, completeness: 8.67, clarity: 7 },
        best: thrice('What is best in robust.'),
        worst: thrice('What is worst in robust.'),
        text: 'Use a queue with a limit, and retry.',
      },
      {
        angle: 'reader',
        total: 54,
        firsts: 0,
        averages: { correctness: 5.33, completeness: 5.67, clarity: 7 },
        best: thrice('What is best in reader.'),
        worst: thrice('What is worst in reader.'),
        text: 'Use a table with a status column.',
      },
      {
        angle: 'unusual',
        total: 37,
        firsts: 0,
        averages: { correctness: 3.67, completeness: 4.33, clarity: 4.33 },
        best: thrice('What is best in unusual.'),
        worst: thrice('What is worst in unusual.'),
        text: 'Have no jobs: do it at once.',
      },
    ],
    judges: { asked: 3, answered: 3 },
    missing: [],
    complete: true,
  },
  phases: { Propose: 4, Judge: 3, 'Tie-break': 2, Graft: 2 },
  refusals: [/^none of the 4 candidates came back: there is nothing to judge$/],
  badArgs: [
    [undefined, /^the args can't be used: task is missing\. Pass for example \{"task"/],
    [['a task'], /task is missing/],
    [{ task, judge: 3 }, /"judge" is unknown/],
    [{ task, angles: ['only one'] }, /angles has to be a list of 2 to 12 texts/],
    [{ task: '', judges: 0, criteria: [], graft: 'no' }, /task is .*; judges has .*; criteria has .*; graft has to be/],
    [{ task, criteria: [': nothing'] }, /criteria has to be a list/],
  ],
  isHonest(result, events) {
    const report = asReport(result)
    const completed = (wanted: RegExp) => callsOf(events).filter(({ label, done }) => done && wanted.test(label)).length
    expect(report.standing).toHaveLength(completed(/^candidate/))
    expect(report.missing).toHaveLength(4 - report.standing.length)
    expect(report.judges.answered).toBe(completed(/^judge/))
    expect(report.winner === null).toBe(report.judges.answered === 0 && report.standing.length > 1)
    expect(report.graft?.state === 'accepted').toBe(report.answer !== null && report.answer === report.graft?.text)
    if (report.missing.length > 0 || report.judges.answered < 3) expect(report.complete).toBe(false)
  },
})

const ANGLES = ['a: one', 'b: two', 'c: three']
const LABELS = ['judge 1', 'judge 2', 'judge 3']

/** Candidates answer with their angle's name; judges give by name what `scores` says, with one criterion. */
function judging(
  scores: Record<string, Record<string, number>>,
  overrides: (label: string, prompt: string) => ReturnType<Answers> | undefined = () => undefined,
): Answers {
  return ({ label, prompt }) => {
    const own = overrides(label, prompt)
    if (own !== undefined) return own
    if (label.startsWith('candidate')) return { result: label.replace('candidate · ', 'text of ') }
    if (label === 'graft') return { result: 'grafted', taken: ['something'] }
    if (label === 'check of the graft') return { better: 'B', reason: 'Nothing lost.' }
    if (label.startsWith('tie-break')) return { winner: letterOf('b', prompt), reason: 'So.' }
    const given = scores[label] ?? {}
    return Object.fromEntries(
      namesIn(prompt).map((name, place) => [
        String.fromCharCode(65 + place),
        { points: { good: given[name] ?? 5 }, best: `best of ${name}`, worst: `worst of ${name}` },
      ]),
    )
  }
}

const namesIn = (prompt: string) => [...prompt.matchAll(/^text of (\w)$/gm)].map(([, name = '']) => name)
const letterOf = (name: string, prompt: string) => String.fromCharCode(65 + namesIn(prompt).indexOf(name))

const run = (
  scores: Parameters<typeof judging>[0],
  overrides?: Parameters<typeof judging>[1],
  more: Record<string, JsonValue> = {},
  options = {},
) =>
  runBundled(engine, 'judge-panel', judging(scores, overrides), {
    args: { task, angles: ANGLES, criteria: ['good: it is'], ...more },
    ...options,
  })

const winning = { 'judge 1': { b: 9 }, 'judge 2': { b: 9 }, 'judge 3': { c: 9 } }

describe('judge-panel', () => {
  test('shows each judge the candidates in another order, without the names of their angles', async () => {
    const { prompts } = await run(winning, undefined, { judges: 7, graft: false })
    expect(prompts(/^judge/).map((prompt) => namesIn(prompt).join(''))).toEqual([
      'abc',
      'bca',
      'cab',
      'cba',
      'acb',
      'bac',
      'abc',
    ])
    for (const prompt of prompts(/^judge/)) expect(prompt).not.toMatch(/\b(one|two|three)\b/)
  })

  test('adds up points by candidate, whatever letter it had', async () => {
    const { result, labels } = await run(winning)
    expect(asReport(result)).toMatchObject({
      answer: 'grafted',
      winner: 'b',
      decidedBy: 'points',
      standing: [
        { angle: 'b', total: 23, firsts: 2, averages: { good: 7.67 } },
        { angle: 'c', total: 19, firsts: 1 },
        { angle: 'a', total: 15, firsts: 0 },
      ],
      complete: true,
    })
    expect(labels).not.toContain('tie-break 1')
  })

  test('decides equal points by first places', async () => {
    const { result } = await run({ 'judge 1': { a: 8, b: 7 }, 'judge 2': { a: 8, b: 7 }, 'judge 3': { a: 4, b: 6 } })
    expect(asReport(result)).toMatchObject({ winner: 'a', decidedBy: 'first places' })
  })

  test.each([
    ['both say the same', undefined, 'b', 'tie-break'],
    ['one dies', DEAD, 'a', 'order of the angles'],
    ['they like what stands first', { winner: 'A', reason: 'First.' }, 'a', 'order of the angles'],
  ] as const)('breaks a tie by two agents with opposite orders: %s', async (_how, answer, winner, decidedBy) => {
    const overrides = (label: string) =>
      label === 'tie-break 2' || (label === 'tie-break 1' && answer !== DEAD && answer) ? answer : undefined
    const { result, prompts } = await run({ 'judge 1': { a: 9, b: 9 } }, overrides, { judges: 1, graft: false })
    expect(prompts(/^tie/).map((prompt) => namesIn(prompt).join(''))).toEqual(['ab', 'ba'])
    expect(asReport(result)).toMatchObject({ winner, decidedBy, standing: [{ angle: winner }, {}, {}] })
  })

  test.each(FAILURES)('counts a judge that fails as missing, never as a vote (its agent %s)', async (_how, failure) => {
    const { result, state } = await run(winning, (label) => (label === 'judge 2' ? failure : undefined))
    expect(asReport(result)).toMatchObject({
      // One for b, one for c: the dead judge would have decided it.
      standing: [{ total: 14 }, { total: 14 }, { total: 10 }],
      judges: { asked: 3, answered: 2 },
      decidedBy: 'tie-break',
      complete: false,
    })
    expect(state.degraded).toBe(true)
  })

  test('has no winner when all judges fail, but keeps the candidates', async () => {
    const { result, labels } = await run({}, (label) =>
      LABELS.includes(label) ? (label === 'judge 1' ? DEAD : SHAPELESS) : undefined,
    )
    expect(labels).not.toContain('graft')
    expect(asReport(result)).toMatchObject({
      answer: null,
      winner: null,
      decidedBy: null,
      graft: null,
      standing: [{ angle: 'a', total: 0, averages: { good: null }, text: 'text of a' }, { angle: 'b' }, { angle: 'c' }],
      judges: { asked: 3, answered: 0 },
      complete: false,
    })
  })

  test('judges those candidates that came back, and takes a lone one as what it is', async () => {
    const two = await run(winning, (label) => (label === 'candidate · b' ? DEAD : undefined))
    expect(asReport(two.result)).toMatchObject({ winner: 'c', missing: ['b'], complete: false })
    const one = await run(winning, (label) => (/candidate · [bc]/.test(label) ? SHAPELESS : undefined))
    expect(one.labels).toHaveLength(3)
    expect(asReport(one.result)).toMatchObject({
      answer: 'text of a',
      decidedBy: 'only candidate',
      judges: { asked: 0, answered: 0 },
      missing: ['b', 'c'],
      complete: false,
    })
    const none = await run(winning, (label) => (label.startsWith('candidate') ? DEAD : undefined))
    expect(none.state.error?.message).toBe('none of the 3 candidates came back: there is nothing to judge')
  })

  test('keeps the winner as it was judged unless somebody finds the graft better', async () => {
    const table: [Parameters<typeof judging>[1], string][] = [
      [(label) => (label === 'graft' ? DEAD : undefined), 'failed'],
      [(label) => (label === 'graft' ? { result: 'grafted', taken: [] } : undefined), 'nothing taken'],
      [(label) => (label === 'graft' ? { result: 'text of b', taken: ['much'] } : undefined), 'nothing taken'],
      [(label) => (label.startsWith('check') ? DEAD : undefined), 'unchecked'],
      [(label) => (label.startsWith('check') ? { better: 'A', reason: 'Lost.' } : undefined), 'rejected'],
    ]
    for (const [overrides, state] of table) {
      const { result } = await run(winning, overrides)
      const { answer, graft, complete } = asReport(result)
      expect([answer, graft?.state, complete]).toEqual([
        'text of b',
        state,
        state === 'nothing taken' || state === 'rejected',
      ])
    }
  })

  test('begins no graft that the budget would not suffice to check', async () => {
    // Three candidates and three judges at 10 tokens each.
    const { result, state, logs } = await run(winning, undefined, {}, { budgetTokens: 79 })
    expect(asReport(result)).toMatchObject({ answer: 'text of b', graft: { state: 'budget' }, complete: false })
    expect(state.degraded).toBe(false)
    expect(logs.at(-1)).toBe('No graft: 19 tokens are left, two agents take about 20')
  })

  test('is replayed whole when nothing has changed', async () => {
    const options = { args: { task, angles: ANGLES, criteria: ['good: it is'], judges: 4 }, budgetTokens: 300 }
    const scores = { 'judge 1': { a: 9, b: 9 } }
    const first = await runBundled(engine, 'judge-panel', judging(scores), options)
    expect(first.labels).toContain('tie-break 2')
    expect(await replayBundled(engine, 'judge-panel', first, options)).toEqual({
      labels: [],
      replayed: first.labels.length,
      same: true,
    })
  })
})
