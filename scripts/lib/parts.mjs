// The parts of `npm test`, in their order: how each is run and how its result is read.

import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { runToEnd } from './process.mjs'
import { commandFile, inRoot, projectEnv, projectNode } from './project.mjs'
import { readReport } from './tally.mjs'

const STATIC_LIMIT_MS = 3 * 60_000
const RUNNER_LIMIT_MS = 20 * 60_000

/** @typedef {import('./tally.mjs').Tally} Tally */
/** @typedef {{ env?: NodeJS.ProcessEnv, xvfb?: boolean }} Surroundings */
/** @typedef {{ kind: 'vitest' | 'playwright', file: string }} Report */
/** `built`: it looks at what was built; `plain`: it needs no system package but git, no browser and no display. */
/** @typedef {{ name: string, title: string, built: boolean, plain: boolean, report?: Report, run: (surroundings: Surroundings) => Promise<Tally> }} Part */

/** @type {Part[]} */
export const parts = [
  check('types', 'Types', 'typescript', 'tsc', ['-b']),
  check('lint', 'Lint', 'oxlint', 'oxlint', ['--deny-warnings']),
  check('format', 'Format', 'oxfmt', 'oxfmt', ['--check']),
  check('dead-code', 'Dead code', 'knip', 'knip', []),
  check('duplicates', 'Duplicated code', 'jscpd', 'jscpd', []),
  check('size', 'Size of the bundles', 'size-limit', 'size-limit', [], true),
  docs(),
  vitest('unit', 'Unit tests', false),
  vitest('integration', 'Integration tests', true),
  playwright('browser', 'Browser tests'),
  playwright('desktop', 'Desktop tests'),
]

/**
 * A static check counts as one.
 *
 * @param {string} name
 * @param {string} title
 * @param {string} packageName
 * @param {string} command
 * @param {string[]} args
 * @param {boolean} [built] it looks at what was built
 * @returns {Part}
 */
function check(name, title, packageName, command, args, built = false) {
  return { name, title, built, plain: true, run: () => runCheck([commandFile(packageName, command), ...args]) }
}

/** @returns {Part} */
function docs() {
  const title = 'Paths and commands in the documents'
  return { name: 'docs', title, built: true, plain: true, run: () => runCheck([inRoot('scripts', 'check-docs.mjs')]) }
}

/**
 * @param {string[]} args for Node
 * @returns {Promise<Tally>}
 */
async function runCheck(args) {
  const { code, timedOut } = await runToEnd(projectNode(), args, { env: projectEnv(), limitMs: STATIC_LIMIT_MS })
  if (timedOut) console.log(`Stopped after ${STATIC_LIMIT_MS / 60_000} minutes.`)
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 }
}

/**
 * @param {string} project
 * @param {string} title
 * @param {boolean} built
 * @returns {Part}
 */
function vitest(project, title, built) {
  const report = reportFile(project)
  const args = ['run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return {
    name: project,
    title,
    built,
    plain: true,
    report: { kind: 'vitest', file: report },
    run: (surroundings) => runner('vitest', report, surroundings, [commandFile('vitest'), ...args]),
  }
}

/**
 * @param {string} project
 * @param {string} title
 * @returns {Part}
 */
function playwright(project, title) {
  const report = reportFile(project)
  return {
    name: project,
    title,
    built: true,
    plain: false,
    report: { kind: 'playwright', file: report },
    run: (surroundings) => {
      const env = { ...surroundings.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report }
      const args = ['test', '--project', project, '--reporter=list,json', '--output', `test-results/${project}`]
      return runner('playwright', report, { ...surroundings, env }, [
        commandFile('@playwright/test', 'playwright'),
        ...args,
      ])
    },
  }
}

/** @param {string} name */
function reportFile(name) {
  return inRoot('.cache', 'test-reports', `${name}.json`)
}

/**
 * @param {'vitest' | 'playwright'} kind
 * @param {string} report
 * @param {Surroundings} surroundings
 * @param {string[]} args for Node
 * @returns {Promise<Tally>}
 */
async function runner(kind, report, { env, xvfb = false }, args) {
  mkdirSync(dirname(report), { recursive: true })
  rmSync(report, { force: true })
  /** @type {[string, string[]]} */
  const line = xvfb
    ? ['xvfb-run', ['-a', '-s', '-screen 0 1600x1000x24', projectNode(), ...args]]
    : [projectNode(), args]
  const { code, timedOut } = await runToEnd(...line, { env: projectEnv(env), limitMs: RUNNER_LIMIT_MS })
  if (timedOut) console.log(`Stopped after ${RUNNER_LIMIT_MS / 60_000} minutes.`)
  return readReport(kind, report, code)
}
