// Takes what is not committed in a checkout into a worktree, as a commit of its own there. The checkout and its index are only
// read.

import { copyFile, lstat, mkdir, readlink, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { COMMIT } from './commit-as-weft.ts'
import type { Git } from './git.ts'
import { succeed } from './succeed.ts'

const PLAIN = ['--no-color', '--no-ext-diff', '--no-textconv', '--no-renames', '--ignore-submodules=all']
const MESSAGE = 'Changes of the workspace that were not committed\n'

/**
 * Resolves with the commit that the worktree is at then. Repositories inside of the checkout are not taken along. Rejects with
 * AgentsError `WORKTREE_FAILED`, or as the file system does; the worktree is of no use then.
 */
export async function carryChanges(git: Git, top: string, path: string): Promise<string> {
  const patch = `${path}.patch`
  try {
    // Into a file: what is no UTF-8 has to arrive byte for byte.
    const flags = ['diff', '--binary', '--full-index', ...PLAIN, `--output=${patch}`]
    succeed(top, await git(top, [...flags, 'HEAD', '--']))
    if ((await stat(patch)).size > 0) succeed(path, await git(path, ['apply', '--whitespace=nowarn', patch]))
  } finally {
    await rm(patch, { force: true })
  }
  const others = succeed(top, await git(top, ['ls-files', '--others', '--exclude-standard', '-z']))
  for (const name of others.split('\0'))
    // Its name ends so if it is a folder, which only a repository is.
    // oxlint-disable-next-line no-await-in-loop -- a thousand at once would be too many open files
    if (name !== '' && !name.endsWith('/')) await copyInto(join(top, name), join(path, name))
  succeed(path, await git(path, ['add', '--all', '--', ':/']))
  const staged = await git(path, ['diff', '--cached', '--quiet'])
  if (staged.code !== 0) succeed(path, await git(path, COMMIT, MESSAGE))
  return succeed(path, await git(path, ['rev-parse', 'HEAD'])).trim()
}

async function copyInto(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  if ((await lstat(from)).isSymbolicLink()) await symlink(await readlink(from), to)
  else await copyFile(from, to)
}
