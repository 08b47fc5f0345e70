// What failed, by name and with the head of its message: printed last, since the end of a long output is what gets read.

import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { inRoot } from './project.mjs'

const MESSAGE_LINES = 12

/**
 * @typedef {{ fullName: string, status: string, failureMessages?: string[] }} VitestAssertion
 * @typedef {{ name: string, status: string, message?: string, assertionResults: VitestAssertion[] }} VitestFile
 * @typedef {{ status?: string, errors?: { message?: string }[] }} PlaywrightResult
 * @typedef {{ title: string, file: string, line: number, ok: boolean, tests: { results: PlaywrightResult[] }[] }} PlaywrightSpec
 * @typedef {{ suites?: PlaywrightSuite[], specs?: PlaywrightSpec[] }} PlaywrightSuite
 */

/**
 * One text for each failed test of a runner's report; none when there is no report to read.
 *
 * @param {'vitest' | 'playwright'} kind
 * @param {string} file
 * @returns {string[]}
 */
export function readFailures(kind, file) {
  if (!existsSync(file)) return []
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'))
    return kind === 'vitest' ? fromVitest(report) : fromPlaywright(report)
  } catch {
    return []
  }
}

/** @param {{ testResults?: VitestFile[] }} report */
function fromVitest({ testResults = [] }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed')
    const where = relative(inRoot(), name)
    if (failed.length === 0 && status === 'failed') return [describe(where, message)]
    return failed.map((test) => describe(`${where} › ${test.fullName}`, test.failureMessages?.[0]))
  })
}

/**
 * @param {PlaywrightSuite} suite
 * @returns {string[]}
 */
function fromPlaywright({ suites = [], specs = [] }) {
  const own = specs
    .filter((spec) => !spec.ok)
    .map((spec) => {
      const results = spec.tests.flatMap((test) => test.results)
      const errors = results.flatMap((result) => result.errors ?? [])
      return describe(`${spec.file}:${spec.line} › ${spec.title}`, errors[0]?.message)
    })
  return [...own, ...suites.flatMap(fromPlaywright)]
}

/**
 * @param {string} title
 * @param {string | undefined} message
 */
function describe(title, message) {
  const lines = stripVTControlCharacters(message ?? 'no message')
    .trim()
    .split('\n')
    .slice(0, MESSAGE_LINES)
  return [`✗ ${title}`, ...lines.map((line) => `    ${line}`)].join('\n')
}
