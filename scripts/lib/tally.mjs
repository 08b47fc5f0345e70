// Counts of tests, read from the reports that the runners write, and the one line that sums them up.

import { existsSync, readFileSync } from 'node:fs'

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Tally
 * @typedef {{ numPassedTests?: number, numFailedTests?: number, numPendingTests?: number, numTodoTests?: number }} VitestReport
 * @typedef {{ stats?: { expected?: number, unexpected?: number, flaky?: number, skipped?: number }, errors?: unknown[] }} PlaywrightReport
 */

/** @param {readonly Tally[]} tallies */
export function sum(tallies) {
  const total = { passed: 0, failed: 0, skipped: 0 }
  for (const tally of tallies) {
    total.passed += tally.passed
    total.failed += tally.failed
    total.skipped += tally.skipped
  }
  return total
}

/** @param {Tally} tally */
export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/**
 * A runner's report as a tally. Whatever makes the report incomplete is a failure too: no report, no tests, an error
 * outside of any test, an exit code that the failed tests don't explain.
 *
 * @param {'vitest' | 'playwright'} kind
 * @param {string} file
 * @param {number} exitCode
 * @returns {Tally}
 */
export function readReport(kind, file, exitCode) {
  const report = existsSync(file) ? parse(readFileSync(file, 'utf8')) : undefined
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 }
  const tally = kind === 'vitest' ? fromVitest(report) : fromPlaywright(report)
  const nothingRan = tally.passed + tally.failed + tally.skipped === 0
  if (tally.failed === 0 && (exitCode !== 0 || nothingRan)) tally.failed = 1
  return tally
}

/**
 * @param {VitestReport} report
 * @returns {Tally}
 */
function fromVitest(report) {
  return {
    passed: report.numPassedTests ?? 0,
    failed: report.numFailedTests ?? 0,
    skipped: (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0),
  }
}

/**
 * @param {PlaywrightReport} report
 * @returns {Tally}
 */
function fromPlaywright({ stats = {}, errors = [] }) {
  return {
    passed: stats.expected ?? 0,
    // A test that fails now and then is a failure: nothing here is retried into a pass.
    failed: (stats.unexpected ?? 0) + (stats.flaky ?? 0) + errors.length,
    skipped: stats.skipped ?? 0,
  }
}

/**
 * @param {string} text
 * @returns {(VitestReport & PlaywrightReport) | undefined}
 */
function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
