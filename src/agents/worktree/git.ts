// Runs the user's git, without a shell and without anything that a surrounding git process left in the environment.

import { execFile } from 'node:child_process'
import { AgentsError, systemCode } from '../errors.ts'

export interface GitResult {
  code: number
  stdout: string
  stderr: string
}

/** Runs `git <args>` in `folder`. Rejects with AgentsError when there is no git, or no such folder. */
export type Git = (folder: string, args: readonly string[], input?: string) => Promise<GitResult>

/** A patch or a list of files, not a checkout. */
const MAX_OUTPUT_BYTES = 256 * 2 ** 20
/** Hooks of the repository are the user's: they are not run by what happens behind their back. */
const QUIET = ['-c', 'core.hooksPath=/dev/null', '-c', 'gc.auto=0', '-c', 'advice.addEmbeddedRepo=false']

export function createGit(inherited: Readonly<Record<string, string | undefined>>): Git {
  const env = cleanEnvironment(inherited)
  return (folder, args, input) =>
    new Promise((resolve, reject) => {
      const options = { cwd: folder, env, maxBuffer: MAX_OUTPUT_BYTES, windowsHide: true, encoding: 'utf8' } as const
      const child = execFile('git', [...QUIET, ...args], options, (error, stdout, stderr) => {
        const code = child.exitCode ?? (error === null ? 0 : 1)
        if (error !== null && systemCode(error) === 'ENOENT') reject(describeMissing(folder))
        else resolve({ code, stdout, stderr: child.exitCode === null ? `${stderr}${error?.message ?? ''}` : stderr })
      })
      child.stdin?.on('error', () => {})
      child.stdin?.end(input ?? '')
    })
}

/** What git says when it refuses, on one line. */
export function describeGit({ code, stderr }: GitResult): string {
  const words = stderr.replaceAll(/^(?:fatal|error|hint): /gm, '').trim()
  return words === '' ? `git ended with code ${code}` : words.split('\n').slice(0, 3).join(' ')
}

function describeMissing(folder: string): AgentsError {
  const message = `git could not be started in ${folder}: install git, or see whether the folder is still there`
  return new AgentsError('WORKTREE_REFUSED', message)
}

function cleanEnvironment(inherited: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(inherited))
    // GIT_DIR and its like would point every command at another repository.
    if (value !== undefined && !/^GIT_/i.test(name)) env[name] = value
  // Messages are read by people in our own words, questions have nobody to answer them.
  return { ...env, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0' }
}
