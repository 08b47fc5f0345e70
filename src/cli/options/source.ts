// What `weft run X` means by X: a file or the name of a workflow.

import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { HostCalls } from '../../shared/index.ts'
import { CliError } from '../errors.ts'

export type ScriptSource = HostCalls['run.dryRun']['params']['source']

const SCRIPT_ENDING = /\.(?:js|mjs|ts)$/i
const ENDINGS = ['.js', '.mjs', '.ts']

/**
 * A path when it has a separator, or ends like a script and is there; else a name, which may be a file's name too. A path
 * may leave out the script's ending.
 * Relative paths are seen from `cwd`. Throws CliError NOT_FOUND for a path to no file.
 */
export function readSource(text: string, cwd: string): ScriptSource {
  const path = resolve(cwd, text)
  if (/[/\\]/.test(text)) {
    const file = [path, ...ENDINGS.map((ending) => path + ending)].find(isFile)
    if (file === undefined) throw new CliError('NOT_FOUND', `there is no file ${path}`)
    return { kind: 'path', path: file }
  }
  return SCRIPT_ENDING.test(text) && isFile(path) ? { kind: 'path', path } : { kind: 'name', name: text }
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile()
}

/** The file behind a source and, if it can be read, its text: to show what is wrong with it. */
export function describeSource(source: ScriptSource): { file: string; text?: string } | undefined {
  if (source.kind !== 'path') return undefined
  try {
    return { file: source.path, text: readFileSync(source.path, 'utf8') }
  } catch {
    return { file: source.path }
  }
}

/** The folder a run stands in. Throws CliError USAGE when `--cwd` names none. */
export function readWorkspace(option: string | undefined, cwd: string): string {
  const workspace = resolve(cwd, option ?? '.')
  if (existsSync(workspace) && statSync(workspace).isDirectory()) return workspace
  throw new CliError('USAGE', `--cwd: there is no folder ${workspace}`)
}
