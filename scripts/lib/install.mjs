// Brings node_modules in line with package-lock.json, and does nothing when it is.

import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Problem } from './problem.mjs'
import { runToEnd } from './process.mjs'
import { inRoot } from './project.mjs'

const LOCK = inRoot('package-lock.json')
/** npm's own record of what it put into node_modules. */
const INSTALLED = inRoot('node_modules', '.package-lock.json')
const STAMP = inRoot('node_modules', '.weft-installed')

/** @typedef {{ version?: string, optional?: boolean, link?: boolean }} LockedPackage */
/** @typedef {Record<string, LockedPackage>} LockedPackages */

/** @param {(line: string) => void} say */
export async function ensureInstalled(say) {
  const lock = readFileSync(LOCK)
  const wanted = createHash('sha256').update(lock).digest('hex')
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return
  if (existsSync(INSTALLED) && differences(packagesOf(LOCK), packagesOf(INSTALLED)).length === 0) {
    writeFileSync(STAMP, wanted)
    return
  }
  say('Installing what package-lock.json names (a minute or so, this once) …')
  const args = ['ci', '--no-audit', '--no-fund']
  const { code } = await runToEnd(...npmCommand(args))
  if (code !== 0) {
    throw new Problem(
      `"npm ci" failed with exit code ${code}; npm's own words are above.\n` +
        'It needs the npm registry: check the network, the proxy and "npm config get registry", then run the same command again.',
    )
  }
  writeFileSync(STAMP, wanted)
}

/**
 * Packages of the lock that are not installed as it names them. Optional ones may be missing: they are for other platforms.
 *
 * @param {LockedPackages} locked
 * @param {LockedPackages} installed
 */
export function differences(locked, installed) {
  return Object.keys(locked).filter((path) => {
    if (path === '') return false
    const there = installed[path]
    if (there === undefined) return locked[path]?.optional !== true
    return there.version !== locked[path]?.version
  })
}

/**
 * @param {string} file
 * @returns {LockedPackages}
 */
function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
}

/**
 * npm as the one that started us, else as found on the PATH.
 *
 * @param {string[]} args
 * @returns {[string, string[]]}
 */
function npmCommand(args) {
  const script = process.env['npm_execpath']
  if (script !== undefined && /npm-cli\.c?js$/.test(script)) return [process.execPath, [script, ...args]]
  // A .cmd file can't be started without a shell; these arguments hold nothing a shell would read.
  return process.platform === 'win32' ? ['cmd.exe', ['/c', 'npm', ...args]] : ['npm', args]
}
