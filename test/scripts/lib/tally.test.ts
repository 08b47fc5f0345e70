import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readReport, sum, summaryLine } from '../../../scripts/lib/tally.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-tally-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function report(content: unknown): string {
  const file = join(folder, 'report.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

describe('the summary line', () => {
  test('names passed and failed, and skipped only when there are any', () => {
    expect(summaryLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed')
    expect(summaryLine({ passed: 3, failed: 2, skipped: 1 })).toBe('3 passed, 2 failed, 1 skipped')
  })

  test('counts over all runners', () => {
    const tallies = [
      { passed: 1, failed: 0, skipped: 2 },
      { passed: 10, failed: 3, skipped: 0 },
    ]
    expect(sum(tallies)).toEqual({ passed: 11, failed: 3, skipped: 2 })
  })
})

describe('a report of Vitest', () => {
  test('gives its passed, failed, skipped and to-do tests', () => {
    const file = report({ numPassedTests: 5, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 })
    expect(readReport('vitest', file, 1)).toEqual({ passed: 5, failed: 1, skipped: 3 })
  })

  test('with an exit code that no failed test explains counts one failure', () => {
    const file = report({ numPassedTests: 5, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 })
    expect(readReport('vitest', file, 1)).toEqual({ passed: 5, failed: 1, skipped: 0 })
  })
})

describe('a report of Playwright', () => {
  test('counts a flaky test and an error outside of tests as failures', () => {
    const file = report({ stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 2 }, errors: [{ message: 'x' }] })
    expect(readReport('playwright', file, 1)).toEqual({ passed: 4, failed: 3, skipped: 2 })
  })
})

describe('a runner that tells nothing', () => {
  test('fails when it left no report', () => {
    expect(readReport('vitest', join(folder, 'missing.json'), 0)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })

  test('fails when its report is cut off', () => {
    expect(readReport('vitest', report('{"numPassedTests": 5'), 0)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })

  test('fails when it found no tests', () => {
    expect(readReport('playwright', report({ stats: {}, errors: [] }), 0)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })
})
