import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useWorkbench } from '../../support/cli/workbench.ts'
import { Repository } from '../../support/workflows/repository.ts'

const PATIENCE_MS = 300_000

interface Cause {
  kind: string
  place: string
  tests: { test: string; seen: string }[]
  evidence: { source: string; quote: string }[]
  refuted?: object[]
}

// Every other run of the flaky test fails, by the length of a file outside of the repository.
const FILES = {
  'src/sum.js': ['export const sum = (a, b) => a + b + 1'],
  'run-tests.mjs': [
    "import { appendFileSync, statSync } from 'node:fs'",
    "import { sum } from './src/sum.js'",
    "const token = () => process.env.APP_TOKEN ? '' : 'run-tests.mjs:3 APP_TOKEN is not set'",
    'const tests = {',
    "  adds: () => sum(1, 2) === 3 ? '' : 'src/sum.js:1 it is not 3',",
    '  signs: token,',
    '  checks: token,',
    '  waits() {',
    "    appendFileSync(process.env.COUNTER, 'x')",
    "    return statSync(process.env.COUNTER).size % 2 === 0 ? '' : 'run-tests.mjs:10 it took too long'",
    '  },',
    '}',
    'for (const [name, test] of Object.entries(tests)) {',
    '  if ((process.argv[2] ?? name) !== name) continue',
    '  const message = test()',
    "  console.log(message === '' ? `ok - ${name}` : `not ok - ${name} # ${message}`)",
    '}',
  ],
}

describe('weft run test-triage, with agents that run real tests,', () => {
  it(
    'tells what is real, flaky and the machine, against a diagnosis that lies, and what it says can be mended so',
    async () => {
      const bench = useWorkbench()
      const lie = { kind: 'flaky', cause: 'Chance.', place: null, evidence: [{ source: 'x', quote: 'x' }], fix: '' }
      const overrule = { 'diagnose c1': { answer: { ...lie, severity: 'low' } } }
      const counter = join(bench.folder, 'counter')
      bench.useAgent('../workflows/working-agent.mjs', [], {
        WEFT_TEST_OVERRULE: JSON.stringify(overrule),
        COUNTER: counter,
      })
      const repository = new Repository(bench.workspace)
      repository.commit('first', FILES)
      const before = repository.snapshot()
      const args = JSON.stringify({ command: 'node run-tests.mjs', votes: 1 })

      // One after the other: the tests share the counter.
      const { code, document } = await bench.json('run', 'test-triage', '--args', args, '--concurrency', '1')

      await bench.quiet()
      expect(repository.snapshot()).toEqual(before)
      expect({ code, result: document['result'] }).toMatchObject({
        code: 0,
        result: {
          failures: 4,
          rounds: 2,
          stopped: 'dry',
          unverified: [],
          refuted: [],
          undiagnosed: [],
          complete: true,
        },
      })
      const { order } = document['result'] as { order: Cause[] } // Its shape is held by the unit tests.
      expect(order.map(({ kind, tests }) => [kind, tests.map(({ test }) => test)])).toEqual([
        ['environment', ['signs', 'checks']],
        ['real', ['adds']],
        ['flaky', ['waits']],
      ])
      expect(order.map(({ refuted = [] }) => refuted.length)).toEqual([0, 1, 0])
      expect(order[1]?.tests[0]?.seen).toBe('2/2')
      // Git knows each line that is quoted as evidence.
      for (const { evidence } of order)
        for (const { source, quote } of evidence)
          expect(repository.place(source.split(':')[0] ?? '', quote)).toBe(source)

      // Mended in the order and at the places that it names, nothing but the flaky test can still fail.
      expect(order[1]?.place).toBe('src/sum.js:1')
      repository.write({ 'src/sum.js': ['export const sum = (a, b) => a + b'] })
      const env = { PATH: process.env['PATH'] ?? '', APP_TOKEN: 'x', COUNTER: counter }
      const { stdout } = spawnSync(process.execPath, ['run-tests.mjs'], { cwd: bench.workspace, env, encoding: 'utf8' })
      for (const name of ['adds', 'signs', 'checks'])
        expect(stdout).toContain(`\nok - ${name}`.slice(name === 'adds' ? 1 : 0))
    },
    PATIENCE_MS,
  )
})
