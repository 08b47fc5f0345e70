// Whether a folder's repository can give an agent a worktree of its own, told before the agent starts.

import { AgentsError } from '../errors.ts'
import { describeGit, type Git } from './git.ts'

export interface Repository {
  /** The top folder of the checkout that the workspace is in; that may be a linked worktree itself. */
  top: string
  /** The workspace below `top`, with a slash at its end; empty when they are the same. */
  prefix: string
  /** Shared by all worktrees of the repository: who changes it waits for the others. */
  commonDir: string
  /** The commit that is checked out. */
  head: string
  hasSubmodules: boolean
  /** Files that are changed or new here, and so are not in a worktree of `head`. */
  uncommitted: number
}

const ADVICE = 'an agent with isolation: "worktree" needs a git repository with a commit'

/** Rejects with AgentsError `WORKTREE_REFUSED`, in words, when the folder has no commit to make a worktree of. */
export async function openRepository(git: Git, folder: string): Promise<Repository> {
  const kind = await git(folder, ['rev-parse', '--is-bare-repository', '--is-inside-work-tree'])
  if (kind.code !== 0) {
    const dubious = /dubious ownership/.test(kind.stderr)
    const why = dubious ? `git refuses it: ${describeGit(kind)}` : 'it is in no git repository'
    throw refuse(folder, why)
  }
  const [bare, inside] = kind.stdout.trim().split('\n')
  if (bare === 'true') throw refuse(folder, 'its repository is bare, so nothing is checked out')
  if (inside !== 'true') throw refuse(folder, 'it is inside of a .git folder')
  const head = await git(folder, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])
  if (head.code !== 0) throw refuse(folder, 'its branch has no commit yet')
  const places = await git(folder, ['rev-parse', '--path-format=absolute', '--show-toplevel', '--git-common-dir'])
  const prefix = await git(folder, ['rev-parse', '--show-prefix'])
  const [top, commonDir] = places.stdout.split('\n')
  if (places.code !== 0 || prefix.code !== 0 || !top || !commonDir) throw refuse(folder, describeGit(places))
  const status = await git(top, ['status', '--porcelain=v1', '-z', '--untracked-files=normal', '--no-renames'])
  const modules = await git(top, ['ls-files', '-z', '--stage'])
  return {
    top,
    prefix: prefix.stdout.replace(/\n$/, ''),
    commonDir,
    head: head.stdout.trim(),
    hasSubmodules: /(?:^|\0)160000 /.test(modules.stdout),
    uncommitted: status.stdout.split('\0').filter((line) => line !== '').length,
  }
}

function refuse(folder: string, why: string): AgentsError {
  return new AgentsError('WORKTREE_REFUSED', `${folder} can't give an agent a worktree of its own: ${why}; ${ADVICE}`)
}
