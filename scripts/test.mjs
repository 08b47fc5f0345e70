// `npm test`: sets up what is missing, runs every check and every test, and ends with one line that counts them all.
// `npm test -- unit browser` runs only those parts.

import { ensureBuilt } from './lib/build.mjs'
import { hasGit } from './lib/debian.mjs'
import { readFailures } from './lib/failures.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { parts } from './lib/parts.mjs'
import { Problem, runScript } from './lib/problem.mjs'
import { sum, summaryLine } from './lib/tally.mjs'
import { prepareSurroundings } from './lib/test-surroundings.mjs'

/** @typedef {import('./lib/tally.mjs').Tally} Tally */
/** @typedef {import('./lib/parts.mjs').Part} Part */

const FAILED = { passed: 0, failed: 1, skipped: 0 }
const SKIPPED = { passed: 0, failed: 0, skipped: 1 }

const say = (/** @type {string} */ line) => console.log(line)

await runScript(async () => {
  const chosen = choose(process.argv.slice(2))
  const total = sum(await runAll(chosen))
  say(summaryLine(total))
  return total.failed > 0 || total.passed === 0 ? 1 : 0
})

/**
 * @param {Part[]} chosen
 * @returns {Promise<Tally[]>}
 */
async function runAll(chosen) {
  if ((await attempt(() => ensureInstalled(say))) === undefined) return [FAILED]
  const wantsBuild = chosen.some((part) => part.built)
  const built = !wantsBuild || (await attempt(() => ensureBuilt(say))) !== undefined
  const names = chosen.filter((part) => built || !part.built).map((part) => part.name)
  // A minute or two of downloads, which the parts that run without them need not wait for.
  const prepared = prepareSurroundings(names, say)
  // Whoever awaits it is told; until then it is no unhandled one.
  prepared.catch(() => undefined)

  /** @type {Tally[]} */
  const tallies = []
  /** @type {string[]} */
  const lines = []
  /** @type {string[]} */
  const failures = []
  for (const part of chosen) {
    say(`\n── ${part.title}`)
    const surroundings = part.plain && hasGit() ? undefined : await prepared
    const startedAt = Date.now()
    const unable = surroundings?.unable.get(part.name)
    const tally =
      part.built && !built ? fail() : unable === undefined ? await part.run(surroundings ?? {}) : skip(unable)
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
    tallies.push(tally)
    if (tally.failed > 0 && part.report !== undefined)
      failures.push(...readFailures(part.report.kind, part.report.file))
    lines.push(`  ${part.title.padEnd(38)}${summaryLine(tally).padEnd(32)}${seconds.padStart(6)} s`)
  }
  if (failures.length > 0) say(`\n── Failed\n\n${failures.join('\n\n')}`)
  say(`\n${lines.join('\n')}\n`)
  return tallies
}

/** @param {string[]} names */
function choose(names) {
  const known = parts.map((part) => part.name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new Problem(`No part of the tests is called ${unknown.join(', ')}. There are: ${known.join(', ')}.`)
  }
  return names.length === 0 ? parts : parts.filter((part) => names.includes(part.name))
}

/**
 * What can't be set up is told; what does not need it runs all the same.
 *
 * @param {() => Promise<void>} step
 * @returns {Promise<true | undefined>} undefined when it failed
 */
async function attempt(step) {
  try {
    await step()
    return true
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    say(error.message)
    return undefined
  }
}

function fail() {
  say('Failed: it needs the build.')
  return FAILED
}

/** @param {string} reason */
function skip(reason) {
  // Where nobody reads the output, a part that did not run must not look like one that passed.
  const counts = process.env['CI'] === 'true'
  say(`${counts ? 'Failed' : 'Skipped'}: ${reason}`)
  return counts ? FAILED : SKIPPED
}
