// Brings an agent's branch into the branch that is checked out, or leaves everything as it was.

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentBranch, BranchMerge } from '../../shared/index.ts'
import { AgentsError } from '../errors.ts'
import { describeGit, type Git } from './git.ts'
import { succeed } from './succeed.ts'

const SHOWN = 5
/** What git has begun here and somebody has to end. */
const UNDER_WAY = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply', 'BISECT_LOG']
/** Nobody is there to type a passphrase, and the user's stash and recorded resolutions are not ours to change. */
const MERGE = [
  '-c',
  'commit.gpgSign=false',
  '-c',
  'rerere.enabled=false',
  '-c',
  'merge.verifySignatures=false',
  'merge',
]
const FLAGS = ['--ff', '--no-edit', '--no-autostash', '--no-squash', '--commit', '--quiet']

/** Rejects with AgentsError `WORKTREE_REFUSED` in words when it may not be tried. */
export async function mergeBranch(git: Git, top: string, { name, commit }: AgentBranch): Promise<BranchMerge> {
  const symbolic = await git(top, ['symbolic-ref', '--quiet', '--short', 'HEAD'])
  if (symbolic.code !== 0) throw refuse(name, `${top} is on no branch: check one out`)
  const into = symbolic.stdout.trim()
  await refuseUnderWay(git, top, name)
  await refuseChanges(git, top, name)
  const before = await headOf(git, top)
  const done = (outcome: BranchMerge['outcome'], head: string, conflicts: string[] = []): BranchMerge => ({
    branch: name,
    outcome,
    into,
    head,
    conflicts,
  })
  if ((await git(top, ['merge-base', '--is-ancestor', commit, 'HEAD'])).code === 0) return done('up-to-date', before)
  const merged = await git(top, [...MERGE, ...FLAGS, `--message=Merge branch '${name}'`, commit])
  if (merged.code === 0) return done('merged', await headOf(git, top))
  const unmerged = succeed(top, await git(top, ['diff', '--name-only', '--diff-filter=U', '-z']))
  const conflicts = unmerged.split('\0').filter((path) => path !== '')
  await putBack(git, top, before)
  if (conflicts.length > 0) return done('conflicts', before, conflicts)
  throw refuse(name, `${describeGit(merged)} (nothing was changed)`)
}

async function refuseUnderWay(git: Git, top: string, name: string): Promise<void> {
  const args = UNDER_WAY.flatMap((file) => ['--git-path', file])
  const paths = succeed(top, await git(top, ['rev-parse', ...args])).split('\n')
  const found = await Promise.all(
    UNDER_WAY.map(async (_file, index) => isThere(join(top, paths[index] ?? ''), paths[index])),
  )
  const file = UNDER_WAY.find((_file, index) => found[index])
  if (file !== undefined) throw refuse(name, `git has something under way in ${top} (${file}): end it first`)
}

/** Untracked files stay: git itself refuses to write over them. */
async function refuseChanges(git: Git, top: string, name: string): Promise<void> {
  const flags = ['--porcelain=v1', '-z', '--untracked-files=no', '--no-renames', '--ignore-submodules=dirty']
  const status = succeed(top, await git(top, ['status', ...flags]))
  const files = status.split('\0').flatMap((line) => (line === '' ? [] : line.slice(3)))
  if (files.length === 0) return
  const rest = files.length > SHOWN ? ` and ${files.length - SHOWN} more` : ''
  throw refuse(
    name,
    `${top} has changes that are not committed (${files.slice(0, SHOWN).join(', ')}${rest}): commit them first`,
  )
}

async function putBack(git: Git, top: string, before: string): Promise<void> {
  const begun = await git(top, ['rev-parse', '--verify', '--quiet', 'MERGE_HEAD'])
  if (begun.code === 0) succeed(top, await git(top, ['merge', '--abort']))
  const after = await headOf(git, top)
  if (after === before) return
  throw new AgentsError(
    'WORKTREE_FAILED',
    `${top} was at ${before} and is at ${after}: a merge did not end as it should`,
  )
}

async function headOf(git: Git, top: string): Promise<string> {
  return succeed(top, await git(top, ['rev-parse', 'HEAD'])).trim()
}

async function isThere(below: string, path = ''): Promise<boolean> {
  const place = path.startsWith('/') || /^[A-Za-z]:/.test(path) ? path : below
  return (await stat(place).catch(() => undefined)) !== undefined
}

function refuse(name: string, why: string): AgentsError {
  return new AgentsError('WORKTREE_REFUSED', `${name} can't be merged: ${why}`)
}
