// `npm test`: sets up what is missing, runs every check and every test, and ends with one line that counts them all.
// `npm test -- unit browser` runs only those parts.

import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { parts } from './lib/parts.mjs'
import { Problem, runScript } from './lib/problem.mjs'
import { sum, summaryLine } from './lib/tally.mjs'
import { prepareSurroundings } from './lib/test-surroundings.mjs'

const say = (/** @type {string} */ line) => console.log(line)

await runScript(async () => {
  const chosen = choose(process.argv.slice(2))
  await ensureInstalled(say)
  if (chosen.some((part) => part.built)) await ensureBuilt(say)
  const surroundings = await prepareSurroundings(
    chosen.map((part) => part.name),
    say,
  )

  /** @type {import('./lib/tally.mjs').Tally[]} */
  const tallies = []
  /** @type {string[]} */
  const lines = []
  for (const part of chosen) {
    const unable = surroundings.unable.get(part.name)
    say(`\n── ${part.title}`)
    const startedAt = Date.now()
    const tally = unable === undefined ? await part.run(surroundings) : skip(unable)
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
    tallies.push(tally)
    lines.push(`  ${part.title.padEnd(38)}${summaryLine(tally).padEnd(32)}${seconds.padStart(6)} s`)
  }

  const total = sum(tallies)
  say(`\n${lines.join('\n')}\n`)
  say(summaryLine(total))
  return total.failed > 0 || total.passed === 0 ? 1 : 0
})

/** @param {string[]} names */
function choose(names) {
  const known = parts.map((part) => part.name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new Problem(`No part of the tests is called ${unknown.join(', ')}. There are: ${known.join(', ')}.`)
  }
  return names.length === 0 ? parts : parts.filter((part) => names.includes(part.name))
}

/** @param {string} reason */
function skip(reason) {
  // Where nobody reads the output, a part that did not run must not look like one that passed.
  const counts = process.env['CI'] === 'true'
  say(`${counts ? 'Failed' : 'Skipped'}: ${reason}`)
  return { passed: 0, failed: counts ? 1 : 0, skipped: counts ? 0 : 1 }
}
