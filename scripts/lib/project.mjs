// Where things are in this repository, and which Node runs them.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Problem } from './problem.mjs'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** @param {...string} parts */
export const inRoot = (...parts) => join(root, ...parts)

/**
 * The Node that the project is run with: the one in node_modules (24), since the machine's own may be older than what
 * better-sqlite3 needs.
 */
export function projectNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const own = inRoot('node_modules', 'node', 'bin', name)
  if (existsSync(own)) return own
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath
  throw new Problem(
    `The package "node" has no binary in node_modules, and this Node is ${process.version}.\n` +
      'Its install script was probably switched off (ignore-scripts). Run "npm rebuild node", or use Node 22 or newer.',
  )
}

/**
 * The file behind a package's command, to be started with projectNode(): no shell, no npx, the same on every platform.
 *
 * @param {string} packageName
 * @param {string} [command] when it is not named as the package
 */
export function commandFile(packageName, command = packageName) {
  const folder = inRoot('node_modules', packageName)
  /** @type {{ bin?: string | Record<string, string> }} */
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin?.[command]
  if (file === undefined) throw new Error(`package ${packageName} has no command ${command}`)
  return join(folder, file)
}

/**
 * The environment for the project's own commands: `node` and its kin in front of the PATH.
 *
 * @param {NodeJS.ProcessEnv} [extra]
 * @returns {NodeJS.ProcessEnv}
 */
export function projectEnv(extra = {}) {
  const separator = process.platform === 'win32' ? ';' : ':'
  return {
    ...process.env,
    PATH: `${inRoot('node_modules', '.bin')}${separator}${process.env['PATH'] ?? ''}`,
    ...extra,
  }
}
