// The branches that keep what agents changed in their worktrees.

import type { Git } from './git.ts'

/** Those of the branches that the folder's repository has not, or has no more. All of them where there is no repository. */
export async function findMissingBranches(git: Git, folder: string, branches: readonly string[]): Promise<string[]> {
  if (branches.length === 0) return []
  const listed = await git(folder, ['for-each-ref', '--format=%(refname)', 'refs/heads/']).catch(() => undefined)
  const known = new Set(listed?.code === 0 ? listed.stdout.split('\n') : [])
  return branches.filter((branch) => !known.has(`refs/heads/${branch}`))
}
