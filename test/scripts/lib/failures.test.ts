import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { readFailures } from '../../../scripts/lib/failures.mjs'
import { inRoot } from '../../../scripts/lib/project.mjs'

function report(content: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'weft-failures-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'report.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

test('failed tests of Vitest are named with the head of their message, files that did not load too', () => {
  const long = Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n')
  const file = report({
    testResults: [
      {
        name: inRoot('test', 'a.test.ts'),
        status: 'failed',
        assertionResults: [
          { fullName: 'a holds', status: 'passed' },
          { fullName: 'b holds', status: 'failed', failureMessages: [`\u001b[31m${long}\u001b[39m`] },
        ],
      },
      { name: inRoot('test', 'b.test.ts'), status: 'failed', message: 'Cannot find it', assertionResults: [] },
    ],
  })
  const head = Array.from({ length: 12 }, (_, line) => `    line ${line}`).join('\n')
  const first = `✗ ${join('test', 'a.test.ts')} › b holds\n${head}`
  const second = `✗ ${join('test', 'b.test.ts')}\n    Cannot find it`
  expect(readFailures('vitest', file)).toEqual([first, second])
})

test('failed tests of Playwright are found however deep they are', () => {
  const failed = { title: 'b holds', file: 'a.spec.ts', line: 3, ok: false }
  const results = [{ status: 'failed', errors: [{ message: 'not there' }] }]
  const file = report({
    suites: [
      {
        suites: [
          {
            specs: [
              { ...failed, tests: [{ results }] },
              { ...failed, ok: true, tests: [] },
            ],
          },
        ],
      },
    ],
  })
  expect(readFailures('playwright', file)).toEqual(['✗ a.spec.ts:3 › b holds\n    not there'])
})

test('a report that is missing or broken names nothing', () => {
  expect(readFailures('vitest', report('{"testResults": ['))).toEqual([])
  expect(readFailures('vitest', join(tmpdir(), 'weft-no-such-report.json'))).toEqual([])
})
