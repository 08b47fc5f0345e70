// What an agent changed in its worktree, put on a branch of its own. Nothing that no branch can hold is given up.

import { AgentsError } from '../errors.ts'
import { baseKeyOf } from './branch-names.ts'
import { COMMIT } from './commit-as-weft.ts'
import { describeGit, type Git, type GitResult } from './git.ts'
import type { WorktreeRecord } from './record.ts'
import { succeed } from './succeed.ts'

const MAX_SUBJECT = 72

export interface WorktreeEnd {
  /** Holds the changes; absent when there are none. */
  branch?: string
  /** Why the folder is still there, naming it. */
  kept?: string
}

/** True when there is anything in it that its first commit has not, ignored files aside. Rejects when git can't tell. */
export async function hasChanges(git: Git, path: string, base: string): Promise<boolean> {
  const status = await git(path, [
    'status',
    '--porcelain=v1',
    '-z',
    '--untracked-files=all',
    '--ignore-submodules=none',
  ])
  const head = await git(path, ['rev-parse', 'HEAD'])
  for (const answer of [status, head])
    if (answer.code !== 0) throw new AgentsError('WORKTREE_FAILED', `${path}: ${describeGit(answer)}`)
  return status.stdout !== '' || head.stdout.trim() !== base
}

/** Rejects with AgentsError `WORKTREE_FAILED`; the worktree is as it was then, or its changes are staged. */
export async function keepChanges(git: Git, path: string, record: WorktreeRecord, label: string): Promise<WorktreeEnd> {
  if (!(await hasChanges(git, path, record.base))) return {}
  succeed(path, await git(path, ['add', '--all', '--', ':/']))
  const staged = await git(path, ['diff', '--cached', '--quiet'])
  if (staged.code !== 0) {
    const message = `${subjectOf(label)}\n\nWeft run ${record.runId}, agent ${record.agent}, attempt ${record.attempt}.\n`
    succeed(path, await git(path, COMMIT, message))
  }
  const commit = succeed(path, await git(path, ['rev-parse', 'HEAD'])).trim()
  const branch = commit === record.base ? undefined : await makeBranch(git, path, record, commit)
  const rest = await findUnkept(git, path, record.base, commit)
  return {
    ...(branch !== undefined && { branch }),
    ...(rest !== undefined && { kept: `${path} is kept: ${rest}` }),
  }
}

/** A name that nothing has yet: a branch that is there already is never moved. */
async function makeBranch(
  git: Git,
  path: string,
  { runId, agent, base }: WorktreeRecord,
  commit: string,
): Promise<string> {
  const wanted = `weft/${runId}/${agent}`
  let answer: GitResult | undefined
  for (let count = 1; count <= 100; count++) {
    // The last one can be there although nothing has that name: a branch called `weft` leaves no room for folders below it.
    const branch = count === 1 ? wanted : count === 100 ? wanted.replaceAll('/', '-') : `${wanted}-${count}`
    // One name after the other.
    // oxlint-disable-next-line no-await-in-loop
    answer = await git(path, ['update-ref', `refs/heads/${branch}`, commit, ''])
    if (answer.code === 0) {
      // What it is compared with later. Should it fail, that is guessed.
      // oxlint-disable-next-line no-await-in-loop
      await git(path, ['config', baseKeyOf(branch), base])
      return branch
    }
    if (!/already exists/.test(answer.stderr)) count = Math.max(count, 98)
  }
  throw new AgentsError('WORKTREE_FAILED', `${path}: no branch could be made: ${answer ? describeGit(answer) : ''}`)
}

/** What the commit does not hold although it was changed: other repositories inside of this one. */
async function findUnkept(git: Git, path: string, base: string, commit: string): Promise<string | undefined> {
  const status = succeed(path, await git(path, ['status', '--porcelain=v1', '-z', '--ignore-submodules=none']))
  if (status !== '') return 'something in it could not be committed'
  const changes = succeed(path, await git(path, ['diff', '--raw', '-z', '--no-renames', base, commit]))
  const fields = changes.split('\0')
  const inner = fields.filter((_field, index) => /^:\d+ 160000 /.test(fields[index - 1] ?? ''))
  return inner.length === 0 ? undefined : `a branch can't hold the repository inside of it at ${inner.join(', ')}`
}

function subjectOf(label: string): string {
  const line = label.replaceAll(/\s+/g, ' ').trim() || 'Work of an agent'
  return line.length <= MAX_SUBJECT ? line : `${line.slice(0, MAX_SUBJECT - 1)}…`
}
