import { describe, expect, it } from 'vitest'
import { useWorkbench, type Workbench } from '../../support/cli/workbench.ts'
import { Repository } from '../../support/workflows/repository.ts'

const PATIENCE_MS = 300_000

interface Bug {
  file: string
  line: number
  summary: string
  severity: string
  round: number
}

interface Report {
  area: string
  rounds: number
  stopped: string
  bugs: Bug[]
  reports: number
  unchecked: Bug[]
}

const FILES = {
  'src/sum.js': [
    '// Not <= items.length: for (let i = 0; i <= items.length; i++) would run past the end.',
    'export function sum(items) {',
    '  let total = 0',
    '  for (let i = 0; i <= items.length; i++) total += items[i]',
    '  if (total === NaN) return 0',
    '  return total',
    '}',
  ],
  'src/run it.js': ['export const run = (text) => eval(text)', 'export const help = "new Function( is not for you"'],
  'src/fine.js': ['export const fine = 1'],
}
const PLANTED = [
  ['src/sum.js', '++) total +='],
  ['src/sum.js', '=== NaN'],
  ['src/run it.js', '=> eval(text)'],
] as const
/** Defects by the look of their line: in a comment, and in a string. */
const DECOYS = 2

const hunt = (bench: Workbench, args: object) =>
  bench.json('run', 'bug-hunt', '--args', JSON.stringify(args), '--concurrency', '4')

// The workflow's result, whose shape its unit tests hold.
const reportOf = (document: Record<string, unknown>): Report => document['result'] as Report

function makeRepository(bench: Workbench): Repository {
  const repository = new Repository(bench.workspace)
  repository.commit('first', FILES)
  return repository
}

describe('weft run bug-hunt, with agents that read a real repository,', () => {
  it(
    'finds every planted bug and no other, until rounds stay dry, and changes nothing',
    async () => {
      const bench = useWorkbench()
      bench.useAgent('honest-agent.mjs')
      const repository = makeRepository(bench)
      const before = repository.snapshot()

      const { code, document } = await hunt(bench, { hunters: 3 })

      const report = reportOf(document)
      expect(report.bugs.map(({ file, line }) => `${file}:${line}`).sort()).toEqual(
        PLANTED.map(([file, text]) => repository.place(file, text)).sort(),
      )
      // Untrusted input is a strategy of the second round; the third and the fourth find nothing new.
      expect(report.bugs.map(({ file, round }) => [file, round])).toEqual([
        ['src/sum.js', 1],
        ['src/sum.js', 1],
        ['src/run it.js', 2],
      ])
      const reports = PLANTED.length + DECOYS
      expect(report).toMatchObject({ rounds: 4, stopped: 'dry', reports, unchecked: [] })
      expect(document).toMatchObject({
        outcome: 'completed',
        degraded: false,
        agentsStarted: 4 * 3 + reports,
        warnings: [],
      })
      expect(code).toBe(0)
      await bench.quiet()
      expect(repository.snapshot()).toEqual(before)
    },
    PATIENCE_MS,
  )

  it(
    'names the report whose check crashed, and ends with exit code 3',
    async () => {
      const bench = useWorkbench()
      const repository = makeRepository(bench)
      const place = repository.place('src/sum.js', '=== NaN')
      const overrule = { [`confirm ${place}`]: { crash: 'out of luck' } }
      bench.useAgent('overruled-agent.mjs', [], { WEFT_TEST_OVERRULE: JSON.stringify(overrule) })
      const { code, document, stderr } = await hunt(bench, { hunters: 1, maxRounds: 1 })
      const report = reportOf(document)
      expect(code).toBe(3)
      expect(report).toMatchObject({
        rounds: 1,
        stopped: 'rounds',
        bugs: [{ file: 'src/sum.js' }],
        reports: 3,
        unchecked: [{ file: 'src/sum.js', line: Number(place.split(':')[1]) }],
      })
      expect(stderr).toContain('completed with failures: 1 failed of 4 agents')
      await bench.quiet()
    },
    PATIENCE_MS,
  )

  it(
    'fails when every hunter crashes, instead of calling the code clean',
    async () => {
      const bench = useWorkbench()
      makeRepository(bench)
      const overrule = Object.fromEntries(
        [1, 2].map((n) => [`round 1 · hunter ${n}`, { crash: `out of luck with ${n}` }]),
      )
      bench.useAgent('overruled-agent.mjs', [], { WEFT_TEST_OVERRULE: JSON.stringify(overrule) })
      const { code, document, stderr } = await hunt(bench, { hunters: 2 })
      expect({ code, result: document['result'], started: document['agentsStarted'] }).toEqual({
        code: 1,
        result: null,
        started: 2,
      })
      expect(stderr).toContain('failed: every hunter of round 1 failed')
      await bench.quiet()
    },
    PATIENCE_MS,
  )
})
