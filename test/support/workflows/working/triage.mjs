// The part of test-triage's agents, for `node run-tests.mjs [name]`, which prints TAP with `# <file>:<line> <message>` behind
// each failure. Whoever diagnoses or doubts runs the tests alone, several times.

import { spawnSync } from 'node:child_process'
import { jsonIn, readLines } from './tools.mjs'

const RUNS = 4

export function triage(prompt) {
  if (prompt.startsWith('Run the tests with this command')) return collect(prompt)
  if (prompt.startsWith('Group these')) return cluster(jsonIn(prompt, '[', ']'))
  if (prompt.startsWith('Find out why')) return diagnose(jsonIn(prompt, '[', ']'))
  if (!prompt.startsWith('Somebody says')) return undefined
  const { tests, kind } = jsonIn(prompt)
  const seen = kindOf(tests[0])
  return { holds: seen === kind, reason: `${RUNS} runs alone say ${seen}.` }
}

function runTests(words) {
  const { stdout, error } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  if (error) throw error
  return [...stdout.matchAll(/^not ok - (.*?) # (.*?):(\d+) (.*)$/gm)].map(([, test, file, line, message]) => ({
    test,
    file,
    message: `${message} (${file}:${line})`,
  }))
}

function collect(prompt) {
  const [, words] = /\n\nnode (.*)\n\n/.exec(prompt)
  const failures = runTests(words.split(' '))
  const known = jsonIn(prompt.replace(/\n\[\]/, '\n[\n]'), '[', ']')
  const idOf = ({ test }) => known.find((one) => one.test === test)?.id
  return {
    failures: failures.filter((failure) => idOf(failure) === undefined),
    again: failures.map(idOf).filter((id) => id !== undefined),
    failed: failures.length,
    error: null,
  }
}

function cluster(failures) {
  const causes = [...new Set(failures.map(({ message }) => message.split(' (')[0]))]
  const isOf = (cause) => (failure) => failure.message.startsWith(cause)
  return { clusters: causes.map((cause) => ({ cause, failures: failures.filter(isOf(cause)).map(({ id }) => id) })) }
}

function kindOf(test) {
  const runs = Array.from({ length: RUNS }, () => runTests(['run-tests.mjs', test]))
  if (runs.some((failures) => failures.length === 0)) return 'flaky'
  return /is not set/.test(runs[0][0].message) ? 'environment' : 'real'
}

function diagnose([{ test, message }]) {
  const kind = kindOf(test)
  const [, file, line] = /\((.*):(\d+)\)/.exec(message)
  const quote = readLines(file)[line - 1]
  return {
    kind,
    cause: message,
    place: `${file}:${line}`,
    evidence: [{ source: `${file}:${line}`, quote }],
    fix: `See ${file}:${line}.`,
    severity: 'high',
  }
}
