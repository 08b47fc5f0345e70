// Agents' branches for people: seen, opened, merged, dropped. Each change takes its turn with worktrees that are being made.

import { mkdir, rmdir } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type {
  AgentBranch,
  AgentBranches,
  BranchDiff,
  BranchDrop,
  BranchMerge,
  BranchOpening,
} from '../../shared/index.ts'
import { AgentsError } from '../errors.ts'
import { diffBranch } from './diff-branch.ts'
import type { Git } from './git.ts'
import { hasChanges } from './keep-changes.ts'
import { listBranches } from './list-branches.ts'
import { mergeBranch } from './merge-branch.ts'
import { openRepository, type Repository } from './repository.ts'
import { succeed } from './succeed.ts'
import type { Worktrees } from './worktrees.ts'

const MAX_LISTED = 1000

export interface BranchKeeperOptions {
  /** Where branches are checked out for people: `<data folder>/branches`. */
  folder: string
  git: Git
  worktrees: Worktrees
}

export class BranchKeeper {
  readonly #folder: string
  readonly #git: Git
  readonly #worktrees: Worktrees

  constructor({ folder, git, worktrees }: BranchKeeperOptions) {
    this.#folder = folder
    this.#git = git
    this.#worktrees = worktrees
  }

  /** Of the workspace's repository; of one run when it is named. Rejects with AgentsError where there is no repository. */
  async list(workspace: string, runId?: string): Promise<AgentBranches> {
    const { top } = await this.#open(workspace)
    const all = await listBranches(this.#git, top)
    const branches = runId === undefined ? all : all.filter((branch) => branch.runId === runId)
    const symbolic = await this.#git(top, ['symbolic-ref', '--quiet', '--short', 'HEAD'])
    const left = await this.#worktrees.left()
    return {
      top,
      current: symbolic.code === 0 ? symbolic.stdout.trim() : null,
      branches: branches.slice(0, MAX_LISTED),
      total: branches.length,
      left: runId === undefined ? left : left.filter((worktree) => worktree.runId === runId),
    }
  }

  async diff(workspace: string, name: string): Promise<BranchDiff> {
    const { top, branch } = await this.#find(workspace, name)
    return diffBranch(this.#git, top, branch)
  }

  /** Into the branch that is checked out in the workspace. With conflicts nothing is changed. */
  merge(workspace: string, name: string): Promise<BranchMerge> {
    return this.#inTurn(workspace, name, ({ top }, branch) => mergeBranch(this.#git, top, branch))
  }

  /** Rejects with AgentsError `BRANCH_UNMERGED` unless it is merged or `unmerged` says that it may be lost. */
  drop(workspace: string, name: string, unmerged: boolean): Promise<BranchDrop> {
    return this.#inTurn(workspace, name, async ({ top }, branch) => {
      const { commit, merged, folder } = branch
      if (!merged && !unmerged)
        throw new AgentsError('BRANCH_UNMERGED', `${name} is not merged: ${commit} would be lost`)
      if (folder !== null) await this.#close(top, branch, folder)
      // Only if it is what was looked at.
      succeed(top, await this.#git(top, ['update-ref', '-d', `refs/heads/${name}`, commit]))
      await this.#git(top, ['config', '--remove-section', `branch.${name}`])
      return { branch: name, commit, merged }
    })
  }

  /** Checks it out into a folder of its own; where it is checked out already, that folder is named. */
  open(workspace: string, name: string): Promise<BranchOpening> {
    return this.#inTurn(workspace, name, async ({ top }, { folder: known }) => {
      if (known !== null) return { branch: name, folder: known, known: true }
      const folder = join(this.#folder, name)
      await mkdir(join(folder, '..'), { recursive: true, mode: 0o700 })
      // What was there before was deleted by hand.
      await this.#git(top, ['worktree', 'prune'])
      succeed(top, await this.#git(top, ['worktree', 'add', '--quiet', folder, name]))
      return { branch: name, folder, known: false }
    })
  }

  /** Gives up a checkout that was made here and holds nothing else. */
  async #close(top: string, { name, commit }: AgentBranch, folder: string): Promise<void> {
    if (!folder.startsWith(this.#folder + sep))
      throw new AgentsError(
        'WORKTREE_REFUSED',
        `${name} is checked out in ${folder}: check out another branch there first`,
      )
    if (await hasChanges(this.#git, folder, commit)) {
      const message = `${folder} holds changes of ${name} that are not committed: commit them or undo them first`
      throw new AgentsError('WORKTREE_REFUSED', message)
    }
    // By force: that is what a checkout with submodules takes, and it is clean.
    succeed(top, await this.#git(top, ['worktree', 'remove', '--force', folder]))
    await rmdir(join(folder, '..')).catch(() => undefined)
  }

  async #open(workspace: string): Promise<Repository> {
    try {
      return await openRepository(this.#git, workspace)
    } catch (error) {
      if (!(error instanceof AgentsError)) throw error
      const message = `${workspace} has no branches of agents: it is no checkout of a git repository with a commit`
      throw new AgentsError('BRANCH_UNKNOWN', message, { cause: error })
    }
  }

  async #inTurn<Result>(
    workspace: string,
    name: string,
    task: (repository: Repository, branch: AgentBranch) => Promise<Result>,
  ): Promise<Result> {
    const { commonDir } = await this.#open(workspace)
    return this.#worktrees.inTurn(commonDir, async () => {
      const { repository, branch } = await this.#find(workspace, name)
      return task(repository, branch)
    })
  }

  async #find(workspace: string, name: string): Promise<{ repository: Repository; top: string; branch: AgentBranch }> {
    const repository = await this.#open(workspace)
    const { top } = repository
    const branch = (await listBranches(this.#git, top)).find((other) => other.name === name)
    if (branch === undefined) throw new AgentsError('BRANCH_UNKNOWN', `${top} has no branch of an agent called ${name}`)
    return { repository, top, branch }
  }
}
