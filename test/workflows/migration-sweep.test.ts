import { afterAll, describe, expect, test } from 'vitest'
import type { JsonValue } from '../../src/shared/index.ts'
import { createTestEngine } from '../support/engine/run-script.ts'
import { useBundledHost } from '../support/workflows/bundled-host.ts'
import { callsOf, describeBundled } from '../support/workflows/describe-bundled.ts'
import { DEAD, replayBundled, runBundled, SHAPELESS, type Answers } from '../support/workflows/run-bundled.ts'

interface Entry {
  file: string
  why: string
  attempts?: number
}

/** What the workflow returns. */
interface Report {
  migrated: Entry[]
  unchanged: string[]
  refused: Entry[]
  unverified: Entry[]
  failed: Entry[]
  skipped: Entry[]
  strays: string[] | null
  missed: string[] | null
  stopped: string | null
  complete: boolean
}

// The script's result, whose shape the whole-result test holds to.
const asReport = (result: JsonValue): Report => result as unknown as Report

const host = useBundledHost()
const engine = await createTestEngine()
afterAll(() => engine.dispose())

const change = 'Replace moment by date-fns.'
const agreed = 'Every call was replaced, nothing else was.'

describeBundled('migration-sweep', host, {
  args: { change },
  result: {
    change,
    migrated: [
      { file: 'src/date.js', why: agreed, attempts: 2 },
      { file: 'src/api.js', why: agreed, attempts: 1 },
      { file: 'src/api.d.ts', why: agreed, attempts: 1 },
    ],
    unchanged: [],
    refused: [],
    unverified: [],
    failed: [],
    skipped: [
      { file: 'docs/usage.md', why: 'it had uncommitted changes: commit or stash them first' },
      { file: '../other/date.js', why: 'it is not a path inside this folder' },
      { file: 'src/generated.js', why: 'its agent left it: Its head says that it is generated.' },
    ],
    strays: [],
    missed: [],
    stopped: null,
    complete: false,
  },
  phases: { Find: 2, Change: 4, Verify: 4, 'Look again': 2 },
  refusals: [/^nothing was changed: (what is uncommitted could not be listed|the files could not be found) \(/],
  badArgs: [
    [undefined, /^the args can't be used: change is missing\. Pass for example \{"change"/],
    ['moment', /change is missing/],
    [{ change, were: ['src'] }, /"were" is unknown/],
    [{ change, where: [] }, /where has to be a list of 1 to 50 paths or patterns/],
    [{ change: ' ', limit: 0, attempts: 4, wave: 0 }, /change is missing; limit has .*; attempts has .*; wave has/],
  ],
  isHonest(result, events) {
    const report = asReport(result)
    const calls = callsOf(events)
    const isDone = (label: string) => calls.some((call) => call.label === label && call.done)
    const files = [report.migrated, report.refused, report.unverified, report.failed, report.skipped].flat()
    expect(new Set(files.map(({ file }) => file)).size + report.unchanged.length).toBe(6)
    expect(files.length + report.unchanged.length).toBe(6)
    for (const { file, attempts = 1 } of [...report.migrated, ...report.refused]) {
      expect(isDone(`verify ${file}${attempts > 1 ? ` · attempt ${attempts}` : ''}`)).toBe(true)
    }
    expect(report.missed === null).toBe(!isDone('second look'))
    expect(report.strays === null).toBe(!isDone('uncommitted after'))
    expect(report.complete).toBe(false)
  },
})

/** A repository of which each group's files need the change; everything works but for `overrides`. */
function sweeping(
  groups: string[][],
  overrides: (label: string) => ReturnType<Answers> | undefined = () => undefined,
): Answers {
  return ({ label }) => {
    const own = overrides(label)
    if (own !== undefined) return own
    if (label === 'uncommitted before') return { files: [], error: null }
    if (label === 'uncommitted after') return { files: groups.flat(), error: null }
    if (label === 'first look') return { groups: groups.map((files) => ({ files, note: 'All of it.' })) }
    if (label === 'second look') return { groups: [] }
    return label.startsWith('verify') ? { ok: true, reason: 'Right.' } : { done: true, note: 'Done.' }
  }
}

const run = (
  groups: string[][],
  overrides?: Parameters<typeof sweeping>[1],
  more: Record<string, JsonValue> = {},
  options = {},
) => runBundled(engine, 'migration-sweep', sweeping(groups, overrides), { args: { change, ...more }, ...options })

const changes = (labels: readonly string[]) => labels.filter((label) => label.startsWith('change'))
const no = (reason: string) => ({ ok: false, reason })

describe('migration-sweep', () => {
  test('gives no file to two agents, whatever groups were found', async () => {
    const { prompts, result } = await run([['a.js', 'b.js'], ['c.js'], ['./B.js', 'd.js'], ['src//e.js'], ['src/e.js']])
    const given = prompts(/^change/).map(
      // What the script writes as JSON data.
      (prompt) => (JSON.parse(/^\{$[\s\S]*?^\}$/m.exec(prompt)?.[0] ?? '') as { files: string[] }).files,
    )
    expect(given).toEqual([['c.js'], ['a.js', 'b.js', 'B.js', 'd.js'], ['src/e.js']])
    expect(asReport(result).migrated.map(({ file }) => file)).toEqual([
      'c.js',
      'a.js',
      'b.js',
      'B.js',
      'd.js',
      'src/e.js',
    ])
  })

  test('touches nothing but what was asked for, and says of each file why', async () => {
    const found = [
      ['src/a.js'],
      ['lib/b.js'],
      ['/etc/passwd'],
      ['src/../x.js'],
      ['.git/config'],
      ['src/c.ts', 'lib/d.ts'],
    ]
    const { result, labels } = await run(found, undefined, { where: ['src/**/*.js', 'src/c.ts', './docs/'] })
    expect(changes(labels)).toEqual(['change src/a.js'])
    expect(asReport(result).skipped).toEqual([
      { file: 'lib/b.js', why: 'it is not among the files that were asked for' },
      { file: '/etc/passwd', why: 'it is not a path inside this folder' },
      { file: 'src/../x.js', why: 'it is not a path inside this folder' },
      { file: '.git/config', why: 'it is not a path inside this folder' },
      { file: 'src/c.ts', why: 'it belongs to lib/d.ts: it is not among the files that were asked for' },
      { file: 'lib/d.ts', why: 'it is not among the files that were asked for' },
    ])
    const whole = await run([['src/a.js'], ['x/[id].js']], undefined, { where: ['.'] })
    expect(asReport(whole.result)).toMatchObject({ migrated: { length: 2 }, skipped: [], complete: true })
  })

  test('tells the next attempt why the last was refused, and leaves a file refused that stays so', async () => {
    const { result, prompts } = await run([['a.js'], ['b.js']], (label) =>
      label === 'verify a.js'
        ? no('Line 3 was forgotten.')
        : label.startsWith('verify b.js')
          ? no(`Wrong: ${label}`)
          : undefined,
    )
    expect(prompts('change a.js · attempt 2')[0]).toContain('"reason": "Line 3 was forgotten."')
    expect(asReport(result)).toMatchObject({
      migrated: [{ file: 'a.js', attempts: 2 }],
      refused: [{ file: 'b.js', why: 'Wrong: verify b.js · attempt 2', attempts: 2 }],
      complete: false,
    })
  })

  test('never takes a verifier that died for one that agreed or refused', async () => {
    const { result, labels, state } = await run([['a.js'], ['b.js']], (label) =>
      label === 'verify a.js' ? DEAD : label === 'verify b.js' ? SHAPELESS : undefined,
    )
    expect(asReport(result)).toMatchObject({
      migrated: [],
      refused: [],
      unverified: [
        { file: 'a.js', why: 'it was changed, but not checked: its agent failed or was skipped' },
        { file: 'b.js', why: 'it was changed, but not checked: its agent gave no usable answer' },
      ],
      complete: false,
    })
    expect(changes(labels)).toHaveLength(2)
    expect(state.degraded).toBe(true)
  })

  test('says that a file may be half changed whose agent died', async () => {
    const { result, labels } = await run([['a.js'], ['b.js']], (label) => (label === 'change a.js' ? DEAD : undefined))
    expect(asReport(result).failed).toEqual([
      { file: 'a.js', why: 'its agent failed or was skipped: the file may be half changed' },
    ])
    expect(labels).not.toContain('verify a.js')
  })

  test('believes git and the second look more than its agents', async () => {
    const { result } = await run([['a.js'], ['b.js'], ['c.js']], (label) => {
      if (label === 'uncommitted after') return { files: ['a.js', 'c.js', 'other.js'], error: null }
      if (label === 'change c.js') return { done: false, note: 'Not I.' }
      return label === 'second look' ? { groups: [{ files: ['./a.js', 'late.js'], note: 'Still.' }] } : undefined
    })
    expect(asReport(result)).toMatchObject({
      migrated: [{ file: 'a.js' }],
      unchanged: ['b.js'],
      // It said that it had left c.js alone.
      strays: ['c.js', 'other.js'],
      missed: ['a.js', 'late.js'],
      complete: false,
    })
  })

  test('is not complete when nobody could look again', async () => {
    const { result } = await run([['a.js']], (label) => (/second|after/.test(label) ? DEAD : undefined))
    expect(asReport(result)).toMatchObject({ migrated: [{}], strays: null, missed: null, complete: false })
  })

  test('changes nothing where git has no commit to compare with', async () => {
    const { state, labels } = await run([['a.js']], (label) =>
      label === 'uncommitted before' ? { files: [], error: 'fatal: not a git repository' } : undefined,
    )
    expect(state.error?.message).toBe(
      'nothing was changed, since a sweep needs a git repository with a commit. Git said: fatal: not a git repository',
    )
    expect(labels).toHaveLength(2)
  })

  test('begins no wave that the budget would not carry to the end', async () => {
    // Two looks, then a change and a check a file, at 10 tokens each.
    const files = ['a.js', 'b.js', 'c.js', 'd.js'].map((file) => [file])
    // One agent at a time: the first of the two last looks spends what the second would need.
    const limits = { budgetTokens: 70, maxConcurrentAgents: 1 }
    const { result, labels, state } = await run(files, undefined, { wave: 2 }, limits)
    expect(changes(labels)).toEqual(['change a.js', 'change b.js'])
    expect(asReport(result)).toMatchObject({
      migrated: [{ file: 'a.js' }, { file: 'b.js' }],
      skipped: ['c.js', 'd.js'].map((file) => ({ file, why: 'the budget would not have sufficed' })),
      stopped: 'budget',
      complete: false,
    })
    expect(state).toMatchObject({ status: 'completed', degraded: true })
  })

  test('tells what the budget left untouched from what it left unchecked', async () => {
    const one = { maxConcurrentAgents: 1, budgetTokens: 30 }
    const { result } = await run([['a.js'], ['b.js']], undefined, {}, one)
    expect(asReport(result)).toMatchObject({
      unverified: [{ file: 'a.js', why: 'it was changed, but not checked: the budget was spent' }],
      skipped: [{ file: 'b.js', why: 'the budget was spent before it began' }],
      strays: null,
      missed: null,
    })
  })

  test('stops when a whole wave went wrong, before it breaks more', async () => {
    const files = ['a.js', 'b.js', 'c.js'].map((file) => [file])
    const { result, labels } = await run(
      files,
      (label) => (label === 'change a.js' ? DEAD : label.startsWith('verify b') ? no('Wrong.') : undefined),
      { wave: 2, attempts: 1 },
    )
    expect(changes(labels)).toHaveLength(2)
    expect(asReport(result)).toMatchObject({
      skipped: [{ file: 'c.js', why: 'the wave before it failed altogether' }],
      stopped: 'failures',
    })
  })

  test('stays within the agents of a run at its largest, and names what the limit left out', async () => {
    const files = Array.from({ length: 170 }, (_, n) => [`src/${n}.js`])
    const { result, state } = await run(files, (label) => (label.startsWith('verify') ? no('Wrong.') : undefined), {
      limit: 160,
      attempts: 3,
      wave: 50,
    })
    expect(state).toMatchObject({ status: 'completed' })
    expect(asReport(result).skipped.filter(({ why }) => why === 'the limit of 160 files was reached')).toHaveLength(10)
    const mixed = await run(files, (label) => (/^verify .*3/.test(label) ? no('Wrong.') : undefined), {
      limit: 160,
      attempts: 3,
    })
    expect(mixed.state.agentsStarted).toBeLessThan(1000)
    expect(mixed.state.status).toBe('completed')
  })

  test('is replayed whole when nothing has changed', async () => {
    const args = { change, wave: 2 }
    const groups = [['a.js'], ['b.js', 'c.js'], ['d.js']]
    const answers = sweeping(groups, (label) => (label === 'verify b.js' ? no('Again.') : undefined))
    const first = await runBundled(engine, 'migration-sweep', answers, { args, budgetTokens: 500 })
    expect(asReport(first.result).complete).toBe(true)
    expect(await replayBundled(engine, 'migration-sweep', first, { args, budgetTokens: 500 })).toEqual({
      labels: [],
      replayed: first.labels.length,
      same: true,
    })
  })
})
