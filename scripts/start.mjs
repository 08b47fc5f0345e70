// `npm start`: sets up what is missing, then opens Weft in a desktop window, or serves the same window for the browser
// where no desktop window can be shown. Arguments are passed on (`npm start -- --workspace DIR`).

import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { ensureBuilt } from './lib/build.mjs'
import { displayProblem, electronBinary, fetchElectron, startProblem } from './lib/electron.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { runScript } from './lib/problem.mjs'
import { standInFor } from './lib/process.mjs'
import { inRoot, projectEnv, projectNode, root } from './lib/project.mjs'

const say = (/** @type {string} */ line) => console.log(line)
const args = process.argv.slice(2)

await runScript(async () => {
  await ensureInstalled(say)
  await ensureBuilt(say)
  const found = displayProblem() ?? (await findElectron())
  if (typeof found === 'string') return serveForBrowser(found)
  say('Opening the window …')
  return standInFor(
    spawn(found.binary, [root, ...joinValues(args)], { cwd: callersFolder(), env: desktopEnv(), stdio: 'inherit' }),
  )
})

/** @returns {Promise<string | { binary: string }>} Electron's program, or why there is none */
async function findElectron() {
  const binary = electronBinary() ?? (await fetchElectron(say))
  if (binary === undefined) return "Electron's binary is not installed"
  return startProblem(binary) ?? { binary }
}

/** @param {string} reason */
async function serveForBrowser(reason) {
  say(`No desktop window: ${reason}.`)
  say('Serving the same window for the browser …')
  const child = spawn(projectNode(), [inRoot('bin', 'weft.mjs'), 'serve', '--json', ...args], {
    cwd: callersFolder(),
    env: projectEnv(),
    stdio: ['inherit', 'pipe', 'inherit'],
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    const url = urlOf(line)
    if (url === undefined) return say(line)
    say(`\n  Open this address:   ${url}`)
    const sample = bundledSample()
    if (sample !== undefined) say(`  Or in a terminal:    npx weft dry-run ${sample}`)
    say('  Ctrl-C ends it.\n')
  })
  return standInFor(child)
}

/**
 * The address in what `weft serve --json` prints.
 *
 * @param {string} line
 * @returns {string | undefined}
 */
function urlOf(line) {
  try {
    return JSON.parse(line).url
  } catch {
    return undefined
  }
}

/**
 * `--workspace DIR` as `--workspace=DIR`: Chromium reorders what a second start hands to the first, and would part the two.
 *
 * @param {string[]} given
 */
function joinValues(given) {
  const at = given.indexOf('--workspace')
  const value = given[at + 1]
  return at === -1 || value === undefined
    ? given
    : [...given.slice(0, at), `--workspace=${value}`, ...given.slice(at + 2)]
}

/** The folder in which the command was given: npm itself changes to the one with package.json. */
function callersFolder() {
  const folder = process.env['INIT_CWD']
  return folder !== undefined && existsSync(folder) ? folder : root
}

/** Terminals of editors that run on Electron set ELECTRON_RUN_AS_NODE, with which no window would open. */
function desktopEnv() {
  const env = projectEnv()
  delete env['ELECTRON_RUN_AS_NODE']
  return env
}

/** A workflow to try: the first of the bundled ones, by name. */
function bundledSample() {
  const folder = inRoot('workflows')
  const names = existsSync(folder) ? readdirSync(folder).sort() : []
  const name = names.find((entry) => /^[\w-]+\.(js|mjs|ts)$/.test(entry))
  return name === undefined ? undefined : `workflows/${name}`
}
