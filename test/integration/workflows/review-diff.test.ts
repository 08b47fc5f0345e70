import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root, useWorkbench, type Workbench } from '../../support/cli/workbench.ts'
import { Repository } from '../../support/workflows/repository.ts'

const WORKFLOW = join(root, 'workflows', 'review-diff.js')
const PATIENCE_MS = 300_000

interface Finding {
  file: string
  line: number
  quote: string
  problem: string
  severity: string
  angle: string
  votes: string
  reasons: string[]
  also: string[]
}

interface Report {
  change: string
  files: string[]
  skipped: string[]
  unreviewed: string[]
  findings: Finding[]
  unverified: Finding[]
  refuted: number
  reviews: { total: number; failed: string[] }
  complete: boolean
}

const BEFORE = {
  'README.md': ['The cart adds prices.'],
  'package-lock.json': ['{}'],
  'src/cart.js': [
    '// TODO: this mark was there before',
    'export function total(items) {',
    "  console.log('so was this')",
    '  return eval(items)',
    '}',
  ],
  'src/gone.js': ['console.log("a deleted file")'],
  'src/same.js': ['// TODO: an unchanged file', 'export const same = eval("1")'],
}
const AFTER = {
  'README.md': ['The cart adds prices.', 'Never pass them to eval(text), and leave no TODO.'],
  'package-lock.json': ['{', '  "todo": "TODO"', '}'],
  'src/cart.js': [
    '// TODO: this mark was there before',
    'export function total(items) {',
    '  // TODO: taxes',
    '  let sum = 0',
    '  for (let i = 0; i <= items.length; i++) sum += items[i].price',
    "  console.log('so was this')",
    "  console.log('sum', sum)",
    '  return eval(items)',
    '}',
  ],
  'src/gone.js': undefined,
  'src/größe.js': [
    '// Never call eval( on what a user typed.',
    'export const help = "console.log( is for debugging"',
    'export const run = (text) => eval(text)',
  ],
  "lib/it's a name.js": ['export function check(a) {', '  console.log(a) // TODO: remove', '  return a', '}'],
}

/** Defects on lines that the change brings: where, in which words, and how many claims that makes. */
const PLANTED = [
  ['src/cart.js', '// TODO: taxes', 1],
  ['src/cart.js', 'i <= items.length', 1],
  ['src/cart.js', "console.log('sum', sum)", 1],
  ['src/größe.js', '=> eval(text)', 1],
  ["lib/it's a name.js", 'console.log(a) // TODO', 2],
] as const
/** What a quick reviewer takes for a defect on such lines, and what is none. */
const DECOYS = [
  ['src/größe.js', '// Never call eval(', 1],
  ['src/größe.js', 'console.log( is for', 1],
  // Both in one line of text, which is no code.
  ['README.md', 'Never pass them to eval(text)', 2],
] as const
const REVIEWED = ['README.md', "lib/it's a name.js", 'src/cart.js', 'src/größe.js']
const ANGLES = 3
const claimsIn = (planted: readonly (readonly [string, string, number])[]): number =>
  planted.reduce((sum, [, , claims]) => sum + claims, 0)

function makeRepository(bench: Workbench): Repository {
  const repository = new Repository(bench.workspace)
  repository.commit('first', BEFORE)
  repository.commit('second', AFTER)
  return repository
}

const review = (bench: Workbench, args: object, ...more: string[]) =>
  bench.json('run', WORKFLOW, '--args', JSON.stringify(args), '--concurrency', '4', ...more)

// The workflow's result, whose shape its unit tests hold.
const reportOf = (document: Record<string, unknown>): Report => document['result'] as Report
const placesOf = (findings: readonly Finding[]): string[] => findings.map(({ file, line }) => `${file}:${line}`).sort()

/** Git is asked: each finding's line is there in `commit`, says so, and comes from it. */
function expectTrue(repository: Repository, findings: readonly Finding[], commit: string): void {
  for (const { file, line, quote } of findings) {
    expect(repository.lines(file, commit)[line - 1]).toBe(quote)
    expect(repository.originOf(file, line, commit)).toBe(repository.git('rev-parse', commit).trim())
  }
}

describe('weft run review-diff, with agents that read a real repository,', () => {
  it(
    'finds every planted defect and nothing else, and leaves repository and machine as they were',
    async () => {
      const bench = useWorkbench()
      bench.useAgent('honest-agent.mjs')
      const repository = makeRepository(bench)
      const before = repository.snapshot()

      const { code, document, stderr } = await review(bench, { base: 'HEAD~1', votes: 2 })

      expect({ code, stderr: stderr.includes('completed with failures') }).toEqual({ code: 0, stderr: false })
      const reviews = REVIEWED.length * ANGLES
      const calls = 1 + reviews + 2 * (claimsIn(PLANTED) + claimsIn(DECOYS))
      expect(document).toMatchObject({
        workflow: 'review-diff',
        outcome: 'completed',
        degraded: false,
        simulated: false,
        error: null,
        agentsStarted: calls,
        calls: { completed: calls, failed: 0, skipped: 0, cancelled: 0, replayed: 0 },
        warnings: [],
        scriptPath: WORKFLOW,
      })
      const report = reportOf(document)
      const listed = repository.git('diff', '--name-only', '--diff-filter=d', 'HEAD~1', 'HEAD').trimEnd().split('\n')
      expect([...report.files, ...report.skipped].sort()).toEqual(listed.sort())
      expect(report).toMatchObject({
        change: 'HEAD~1...HEAD',
        files: REVIEWED,
        skipped: ['package-lock.json'],
        unreviewed: [],
        unverified: [],
        refuted: claimsIn(DECOYS),
        reviews: { total: reviews, failed: [] },
        complete: true,
      })
      expect(placesOf(report.findings)).toEqual(PLANTED.map(([file, text]) => repository.place(file, text)).sort())
      expectTrue(repository, report.findings, 'HEAD')
      expect(report.findings.every(({ votes, reasons }) => votes === '2/2' && reasons.length === 2)).toBe(true)
      expect(report.findings.map(({ severity, angle }) => [severity, angle])).toEqual([
        ['high', 'correctness'],
        ['high', 'security'],
        ['low', 'leftovers'],
        ['low', 'leftovers'],
        ['low', 'leftovers'],
      ])
      expect(report.findings.find(({ file }) => file.startsWith('lib/'))?.also).toHaveLength(1)

      await bench.quiet()
      expect(repository.snapshot()).toEqual(before)
    },
    PATIENCE_MS,
  )

  it(
    'is found by its name from within a repository, and its history can be read afterwards',
    async () => {
      const bench = useWorkbench()
      bench.useAgent('honest-agent.mjs')
      const repository = makeRepository(bench)
      const args = JSON.stringify({ angles: ['security: unsafe evaluation'], votes: 1 })

      const run = await bench.weft('run', 'review-diff', '--args', args, '--concurrency', '4')
      expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: '' })
      // One lists, four review, three judge: the line that is evaluated, the comment, and the line of the README.
      expect(run.stdout).toMatch(/^completed, 8 agents · /m)
      expect(run.stdout).toContain(`"line": ${repository.place('src/größe.js', '=> eval(text)').split(':')[1]}`)

      const [row] = JSON.parse((await bench.weft('runs', '--json')).stdout) as { runId: string; status: string }[]
      expect(row).toMatchObject({ status: 'completed', workflow: 'review-diff' })
      const id = row?.runId ?? ''
      const result = JSON.parse((await bench.weft('result', id)).stdout) as Report
      expect(placesOf(result.findings)).toEqual([repository.place('src/größe.js', '=> eval(text)')])
      expect(result).toMatchObject({ refuted: 2, complete: true, reviews: { total: 4, failed: [] } })

      const { stdout } = await bench.weft('show', id)
      for (const phase of ['Scope', 'Review', 'Verify']) expect(stdout).toMatch(new RegExp(`^  ${phase} `, 'm'))
      for (const file of REVIEWED) expect(stdout).toContain(`✓ ${file} · security`)
      expect(stdout).toContain('✓ src/größe.js:3 · sceptic 1')
      expect(stdout).toContain('4 changed files, 1 angles each')
      expect(stdout).toMatch(/^completed, 8 agents/m)
      await bench.quiet()
    },
    PATIENCE_MS,
  )

  it(
    'ends with exit code 3 and says what is missing when some of its agents crash',
    async () => {
      const bench = useWorkbench()
      const repository = makeRepository(bench)
      const loop = repository.place('src/cart.js', 'i <= items.length')
      const crash = (label: string) => [label, { crash: `out of luck with ${label}` }] as const
      const crashing = ['src/größe.js · security', `${loop} · sceptic 1`, `${loop} · sceptic 2`]
      const overrule = Object.fromEntries(crashing.map(crash))
      bench.useAgent('overruled-agent.mjs', [], { WEFT_TEST_OVERRULE: JSON.stringify(overrule) })

      const { code, document, stderr } = await review(bench, {})

      expect(code).toBe(3)
      const report = reportOf(document)
      const evaluated = repository.place('src/größe.js', '=> eval(text)')
      expect(placesOf(report.findings)).toEqual(
        PLANTED.map(([file, text]) => repository.place(file, text))
          .filter((place) => place !== loop && place !== evaluated)
          .sort(),
      )
      expectTrue(repository, report.findings, 'HEAD')
      expect(report.unverified).toMatchObject([{ file: 'src/cart.js', votes: '0/0', reasons: [] }])
      expect(placesOf(report.unverified)).toEqual([loop])
      // The comment with eval( was never claimed, since its reviewer died.
      expect(report).toMatchObject({
        refuted: claimsIn(DECOYS) - 1,
        reviews: { total: 12, failed: ['src/größe.js · security'] },
        complete: false,
      })
      const calls = 1 + 12 + 2 * (claimsIn(PLANTED) + claimsIn(DECOYS) - 2)
      expect(document).toMatchObject({
        outcome: 'completed',
        degraded: true,
        agentsStarted: calls,
        calls: { completed: calls - 3, failed: 3 },
      })
      expect(stderr).toContain(`completed with failures: 3 failed of ${calls} agents`)
      expect(stderr).not.toMatch(/^completed,/m)
      const { stdout } = await bench.weft('show', String(document['runId']))
      expect(stdout).toContain(`completed with failures: 3 failed of ${calls} agents`)
      expect(stdout).toContain('out of luck with src/größe.js · security')
      expect(stdout).toContain('1 of 12 reviews failed: the report is incomplete')
      await bench.quiet()
    },
    PATIENCE_MS,
  )

  it(
    'refutes a reviewer that lies about lines, by what git says',
    async () => {
      const bench = useWorkbench()
      const repository = makeRepository(bench)
      const claim = (line: number, quote: string, problem: string) => ({ line, quote, problem, severity: 'high' })
      const findings = [
        claim(99, 'eval(x)', 'There is no such line.'),
        claim(5, '  while (true) {}', 'It never ends.'),
        // True of the file, but not of the change.
        claim(8, '  return eval(items)', 'eval runs text as code.'),
      ]
      const overrule = { 'src/cart.js · security': { answer: { findings } } }
      bench.useAgent('overruled-agent.mjs', [], { WEFT_TEST_OVERRULE: JSON.stringify(overrule) })
      const { code, document } = await review(bench, { angles: ['security: unsafe evaluation'], votes: 1 })
      expect(code).toBe(0)
      expect(placesOf(reportOf(document).findings)).toEqual([repository.place('src/größe.js', '=> eval(text)')])
      expect(reportOf(document)).toMatchObject({ refuted: 2 + findings.length, complete: true })
      await bench.quiet()
    },
    PATIENCE_MS,
  )

  it(
    'reviews a branch that is not checked out, without what the base got since',
    async () => {
      const bench = useWorkbench()
      bench.useAgent('honest-agent.mjs')
      const repository = new Repository(bench.workspace)
      repository.commit('first', { 'a.js': ['export const a = 1'], 'sub/b.js': ['export const b = 1'] })
      repository.git('switch', '--quiet', '--create', 'feature')
      repository.commit('change', { 'a.js': ['export const a = 1', 'console.log(a)'], 'sub/b.js': ['console.log(2)'] })
      repository.git('switch', '--quiet', 'main')
      repository.commit('meanwhile', { 'a.js': ['// one more line', 'export const a = eval("1")'] })
      const args = { base: 'main', head: 'feature', angles: ['leftovers', 'security'], votes: 1 }

      const { code, document } = await review(bench, args)
      expect({ code, findings: placesOf(reportOf(document).findings) }).toEqual({
        code: 0,
        findings: ['a.js:2', 'sub/b.js:1'],
      })
      expect(reportOf(document)).toMatchObject({ change: 'main...feature', refuted: 0, complete: true })
      expectTrue(repository, reportOf(document).findings, 'feature')

      // From a subfolder: its part of the change, by paths that are right there.
      const part = await review(bench, args, '--cwd', join(bench.workspace, 'sub'))
      expect(reportOf(part.document)).toMatchObject({ files: ['b.js'], findings: [{ file: 'b.js', line: 1 }] })

      // Nothing changed, and what is not committed yet.
      expect(reportOf((await review(bench, { ...args, base: 'feature' })).document)).toMatchObject({ files: [] })
      repository.write({ 'a.js': ['// one more line', 'export const a = eval("1")', 'console.log(a)'] })
      const { head: _head, base: _base, ...rest } = args
      const open = await review(bench, { ...rest, head: 'WORKTREE' })
      expect(reportOf(open.document)).toMatchObject({
        change: 'HEAD...WORKTREE',
        files: ['a.js'],
        findings: [{ file: 'a.js', line: 3, quote: 'console.log(a)' }],
      })
      await bench.quiet()
    },
    PATIENCE_MS,
  )

  it(
    'fails instead of reviewing nothing where there is no base, no repository, or a wrong name among the args',
    async () => {
      const bench = useWorkbench()
      bench.useAgent('honest-agent.mjs')
      const nowhere = await review(bench, {})
      new Repository(bench.workspace).commit('the only one', { 'a.js': ['eval(x)'] })
      const first = await review(bench, {})
      for (const { code, document, stderr } of [nowhere, first]) {
        expect({ code, result: document['result'], started: document['agentsStarted'] }).toEqual({
          code: 1,
          result: null,
          started: 1,
        })
        expect(document).toMatchObject({
          outcome: 'error',
          error: { message: expect.stringMatching(/^the changed files could not be listed/) },
        })
        expect(stderr).toContain('failed: the changed files could not be listed')
      }
      const { stdout } = await bench.weft('show', String(first.document['runId']))
      expect(stdout).toContain('HEAD~1')
      const misspelt = await review(bench, { bsae: 'main' })
      expect(misspelt).toMatchObject({ code: 2, document: { runId: null, agentsStarted: 0 } })
      expect(misspelt.stderr).toContain('args has the property "bsae", which is not allowed')
      await bench.quiet()
    },
    PATIENCE_MS,
  )
})
