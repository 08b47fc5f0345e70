import { afterAll, describe, expect, test } from 'vitest'
import type { JsonValue } from '../../src/shared/index.ts'
import { createTestEngine } from '../support/engine/run-script.ts'
import { useBundledHost } from '../support/workflows/bundled-host.ts'
import { describeBundled } from '../support/workflows/describe-bundled.ts'
import { DEAD, FAILURES, runBundled, SHAPELESS, type Answers } from '../support/workflows/run-bundled.ts'

interface Bug {
  file: string
  line: number
  summary: string
  also: string[]
}

/** What the workflow returns. */
interface Report {
  rounds: number
  stopped: string
  bugs: (Bug & { severity: string; reason: string; round: number })[]
  reports: number
  unchecked: Bug[]
}

// The script's result, whose shape the whole-result test holds to.
const asReport = (result: JsonValue): Report => result as unknown as Report

const host = useBundledHost()
const engine = await createTestEngine()
afterAll(() => engine.dispose())

describeBundled('bug-hunt', host, {
  result: {
    area: 'the whole repository',
    rounds: 3,
    stopped: 'dry',
    bugs: [
      {
        file: 'src/queue.js',
        line: 40,
        summary: 'A rejected job is never removed.',
        trigger: 'A job that throws, then drain()',
        also: ['Failed jobs stay in the list.'],
        severity: 'high',
        reason: 'drain() waits for it for ever.',
        round: 1,
      },
    ],
    reports: 2,
    unchecked: [],
  },
  phases: { Hunt: 12, Confirm: 2 },
  refusals: [/^every hunter of round \d+ failed: stopping instead of reporting a clean code base$/],
  badArgs: [
    ['src', /^the args can't be used: they have to be an object\. Pass for example \{"area"/],
    [{ aera: 'src' }, /"aera" is unknown/],
    [{ dryRounds: 0, maxRounds: 0, hunters: 0 }, /dryRounds has to be .*; maxRounds has to be .*; hunters has to be/],
    [{ area: '' }, /area has to be a text/],
    [{ hunters: 51 }, /hunters has to be a whole number from 1 to 50/],
    [{ maxRounds: 2.5 }, /maxRounds has to be a whole number from 1 to 100/],
  ],
  isHonest(result, events) {
    const { rounds, stopped, bugs, reports, unchecked } = asReport(result)
    const ended = new Map(
      events.flatMap((event) => (event.type === 'agent-ended' ? [[event.agent, event.outcome]] : [])),
    )
    const calls = events.flatMap((event) =>
      event.type === 'agent-queued' ? [{ label: event.label, done: ended.get(event.agent) === 'completed' }] : [],
    )
    const checks = calls.filter(({ label }) => label.startsWith('confirm'))
    expect(reports).toBe(checks.length)
    expect(unchecked.map(({ file, line }) => `confirm ${file}:${line}`).sort()).toEqual(
      checks.flatMap(({ label, done }) => (done ? [] : [label])).sort(),
    )
    // Only whole rounds count as dry, and there have to be two of them.
    const whole = Array.from({ length: rounds }, (_, n) =>
      calls.filter(({ label }) => label.startsWith(`round ${n + 1} `)).every(({ done }) => done),
    )
    if (stopped === 'dry') expect(whole.filter(Boolean).length).toBeGreaterThanOrEqual(2)
    expect(bugs.length + unchecked.length).toBeLessThanOrEqual(reports)
  },
})

function bug(file: string, line: number, summary = `Wrong at ${line}.`) {
  return { file, line, summary, trigger: 'Call it.' }
}

/** `found` by hunters' labels; who confirms says yes. */
function hunting(found: Record<string, ReturnType<Answers>>): Answers {
  return ({ label }) => {
    const own = found[label]
    if (own !== undefined) return own
    if (label.startsWith('confirm')) return { bug: true, reason: 'It is one.', severity: 'medium' }
    return { bugs: [] }
  }
}

const run = (found: Record<string, ReturnType<Answers>>, args: JsonValue = { hunters: 2 }, options = {}) =>
  runBundled(engine, 'bug-hunt', hunting(found), { args, ...options })

const hunter = (round: number, n: number) => `round ${round} · hunter ${n}`

describe('bug-hunt', () => {
  test('goes on until rounds stay dry, and starts to count anew with each confirmed bug', async () => {
    const { result, logs } = await run({
      [hunter(1, 1)]: { bugs: [bug('a.js', 1)] },
      [hunter(3, 2)]: { bugs: [bug('b.js', 2)] },
    })
    expect(asReport(result)).toMatchObject({
      rounds: 5,
      stopped: 'dry',
      bugs: [
        { file: 'a.js', round: 1 },
        { file: 'b.js', round: 3 },
      ],
    })
    expect(logs).toEqual([
      'Round 1: 1 new reports, 1 confirmed',
      'Round 2: 0 new reports, 0 confirmed',
      'Round 3: 1 new reports, 1 confirmed',
      'Round 4: 0 new reports, 0 confirmed',
      'Round 5: 0 new reports, 0 confirmed',
    ])
  })

  test('counts a round whose only reports were shown to be none as dry', async () => {
    const none = { bug: false, reason: 'It is meant so.', severity: 'low' }
    const { result } = await run({ [hunter(1, 1)]: { bugs: [bug('a.js', 1)] }, 'confirm a.js:1': none })
    expect(asReport(result)).toMatchObject({ rounds: 2, stopped: 'dry', bugs: [], reports: 1, unchecked: [] })
  })

  test.each(FAILURES)('throws when all hunters fail before anything is known (its agent %s)', async (_how, failure) => {
    const { state, result } = await run({ [hunter(1, 1)]: failure, [hunter(1, 2)]: failure })
    expect(result).toBeNull()
    expect(state.error?.message).toBe('every hunter of round 1 failed: stopping instead of reporting a clean code base')
  })

  test('keeps what earlier rounds found when all hunters of a later one fail', async () => {
    const { result, state } = await run({
      [hunter(1, 1)]: { bugs: [bug('a.js', 1)] },
      [hunter(2, 1)]: DEAD,
      [hunter(2, 2)]: SHAPELESS,
    })
    expect(asReport(result)).toMatchObject({ rounds: 2, stopped: 'failures', bugs: [{ file: 'a.js' }] })
    expect(state).toMatchObject({ status: 'completed', degraded: true })
  })

  test('does not count a round as dry in which a hunter failed', async () => {
    const { result } = await run({ [hunter(1, 1)]: DEAD, [hunter(3, 2)]: DEAD })
    expect(asReport(result)).toMatchObject({ rounds: 4, stopped: 'dry', bugs: [] })
  })

  test.each(FAILURES)(
    'does not count a round as dry whose report nobody checked, and names that report (its agent %s)',
    async (_how, failure) => {
      const { result } = await run({ [hunter(1, 1)]: { bugs: [bug('a.js', 1)] }, 'confirm a.js:1': failure })
      expect(asReport(result)).toMatchObject({
        rounds: 3,
        stopped: 'dry',
        bugs: [],
        reports: 1,
        unchecked: [{ ...bug('a.js', 1), also: [] }],
      })
    },
  )

  test('looks at a line once, with all that was said about it, and tells later rounds', async () => {
    const { result, prompts, labels } = await run({
      [hunter(1, 1)]: { bugs: [bug('a.js', 1, 'First.')] },
      [hunter(1, 2)]: { bugs: [bug('./a.js', 1, 'Second.'), bug('a.js', 2)] },
      [hunter(2, 1)]: { bugs: [bug('./a.js', 2, 'Again.')] },
    })
    expect(labels.filter((label) => label.startsWith('confirm'))).toEqual(['confirm a.js:1', 'confirm a.js:2'])
    expect(asReport(result)).toMatchObject({
      rounds: 3,
      reports: 2,
      bugs: [{ summary: 'First.', also: ['Second.'] }, {}],
    })
    expect(prompts('confirm a.js:1')[0]).toContain('"Second."')
    expect(prompts(hunter(1, 1))[0]).toContain('(nothing yet)')
    expect(prompts(hunter(2, 1))[0]).toContain('- a.js:1 First.\n- a.js:2 Wrong at 2.')
  })

  test('gives every strategy its turn before one comes again', async () => {
    const { prompts } = await run({}, { hunters: 4, dryRounds: 3 })
    const strategies = prompts(/hunter/).map((prompt) => prompt.split('\n')[0])
    expect(strategies).toHaveLength(12)
    expect(new Set(strategies.slice(0, 6)).size).toBe(6)
    expect(strategies.slice(6)).toEqual(strategies.slice(0, 6))
    expect(new Set(prompts(/hunter/)).size).toBe(12)
  })

  test('hunts where it is told to', async () => {
    const { prompts, result } = await run({}, { area: 'src/parser', hunters: 1 })
    expect(prompts(/hunter/).every((prompt) => prompt.startsWith('Hunt for bugs in src/parser. '))).toBe(true)
    expect(result).toMatchObject({ area: 'src/parser' })
  })

  test('stops after maxRounds, with the gravest bugs first', async () => {
    const { result } = await run(
      {
        [hunter(1, 1)]: { bugs: [bug('a.js', 1)] },
        [hunter(2, 1)]: { bugs: [bug('b.js', 1)] },
        'confirm b.js:1': { bug: true, reason: 'Worse.', severity: 'high' },
      },
      { hunters: 1, maxRounds: 2 },
    )
    expect(asReport(result)).toMatchObject({ rounds: 2, stopped: 'rounds', bugs: [{ file: 'b.js' }, { file: 'a.js' }] })
  })

  test('begins no round that would cost more than is left of the budget', async () => {
    // Two hunters at 10 tokens each, and one check in the first round.
    const found = { [hunter(1, 1)]: { bugs: [bug('a.js', 1)] } }
    const { result, state, logs } = await run(found, { hunters: 2 }, { budgetTokens: 80 })
    expect(asReport(result)).toMatchObject({ rounds: 3, stopped: 'dry' })
    const short = await run(found, { hunters: 2, dryRounds: 3 }, { budgetTokens: 80 })
    expect(asReport(short.result)).toMatchObject({ rounds: 3, stopped: 'budget', bugs: [{ file: 'a.js' }] })
    expect(short.logs.at(-1)).toBe('Stopping before round 4: 10 tokens left, the dearest round took 30')
    for (const { degraded } of [state, short.state]) expect(degraded).toBe(false)
    expect(logs).toHaveLength(3)
  })

  test('reports what the budget left unchecked', async () => {
    const found = { [hunter(1, 1)]: { bugs: [bug('a.js', 1), bug('b.js', 1)] } }
    const { result, state } = await run(found, { hunters: 1 }, { budgetTokens: 20, maxConcurrentAgents: 1 })
    expect(asReport(result)).toMatchObject({
      stopped: 'budget',
      bugs: [{ file: 'a.js' }],
      unchecked: [{ file: 'b.js' }],
    })
    expect(state).toMatchObject({ status: 'completed', degraded: true })
  })

  test('begins no round that might need more agents than a run may start', async () => {
    const found: Answers = ({ label }) => {
      const [, round = '', n = ''] = /^round (\d+) · hunter (\d+)$/.exec(label) ?? []
      if (round === '') return { bug: true, reason: 'It is one.', severity: 'low' }
      return { bugs: Array.from({ length: 10 }, (_, line) => bug(`${round}-${n}.js`, line + 1)) }
    }
    const { result, state } = await runBundled(engine, 'bug-hunt', found, { args: { hunters: 40, maxRounds: 9 } })
    expect(asReport(result)).toMatchObject({ rounds: 2, stopped: 'agents', bugs: { length: 800 } })
    expect(state).toMatchObject({ status: 'completed', agentsStarted: 880 })
  })
})
