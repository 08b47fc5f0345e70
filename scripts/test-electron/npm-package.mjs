// Fetches packages through npm itself, so that its registry, proxy and credentials settings hold here too.

import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Problem } from '../lib/problem.mjs'

const run = promisify(execFile)
const MAX_OUTPUT = { maxBuffer: 64 * 1024 * 1024 }

/**
 * Runs a program and rejects with an error that has its `stderr`.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').ExecFileOptions} [options]
 */
export const runTool = (command, args, options = {}) =>
  run(command, args, { ...MAX_OUTPUT, ...options, encoding: 'utf8' })

/** @param {unknown} error */
export function outputOf(error) {
  if (typeof error !== 'object' || error === null) return String(error)
  const { stderr, message } = /** @type {{ stderr?: unknown, message?: unknown }} */ (error)
  return String(stderr || message).trim()
}

/**
 * Downloads one package and answers its archive.
 *
 * @param {string} spec name and exact version
 * @param {string} into an own folder
 */
export async function fetchPackage(spec, into) {
  mkdirSync(into, { recursive: true })
  try {
    await runTool('npm', ['pack', spec, '--pack-destination', into, '--loglevel=error', '--ignore-scripts'], {
      cwd: into,
    })
  } catch (error) {
    throw new Problem(`"npm pack ${spec}" failed: ${outputOf(error)}`)
  }
  const archive = readdirSync(into).find((name) => name.endsWith('.tgz'))
  if (archive === undefined) throw new Problem(`"npm pack ${spec}" left no archive in ${into}`)
  return join(into, archive)
}
