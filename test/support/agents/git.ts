// The real git, with an identity of its own.

import { execFileSync } from 'node:child_process'

const IDENTITY = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', '-c', 'protocol.file.allow=always']

/** What git printed, without the line end. Throws when it fails. */
export function git(folder: string, ...args: string[]): string {
  return execFileSync('git', [...IDENTITY, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).replace(
    /\n$/,
    '',
  )
}

/** The new commit's hash. */
export function commitAll(folder: string, message: string): string {
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '-m', message)
  return git(folder, 'rev-parse', 'HEAD')
}
