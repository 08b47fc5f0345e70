// What the user does with branches of agents; what came of it is said in a notice.

import {
  plural,
  type AgentBranch,
  type BranchDiff,
  type HostClient,
  type LeftWorktree,
  type RunId,
} from '../../../shared/index.ts'
import { messageOf } from '../message-of.ts'
import type { Notices } from '../notices.ts'

/** Those of one run, and what came before it in the same repository where an answer was replayed. */
export interface RunBranches {
  current: string | null
  branches: AgentBranch[]
  left: LeftWorktree[]
}

export function createBranches(client: HostClient, notices: Pick<Notices, 'info' | 'error'>) {
  /** Resolves false when it failed, which has been said then. */
  const attempt = async (what: string, work: () => Promise<string>): Promise<boolean> => {
    try {
      notices.info(await work())
      return true
    } catch (error) {
      notices.error(`${what}: ${messageOf(error)}`)
      return false
    }
  }
  return {
    /** `named`: branches that the run's own rows name. Rejects with HostError. */
    async list(workspace: string, runId: RunId, named: readonly string[]): Promise<RunBranches> {
      const { branches, current, left } = await client.call('branches.list', { workspace })
      return {
        current,
        branches: branches.filter((branch) => branch.runId === runId || named.includes(branch.name)),
        left: left.filter((worktree) => worktree.runId === runId),
      }
    },
    diff: (workspace: string, branch: string): Promise<BranchDiff> =>
      client.call('branches.diff', { workspace, branch }),

    merge: (workspace: string, branch: string): Promise<boolean> =>
      attempt(`${branch} was not merged`, async () => {
        const { outcome, into, conflicts } = await client.call('branches.merge', { workspace, branch })
        if (outcome === 'conflicts') {
          const files = `${plural(conflicts.length, 'file')} changed on both sides: ${conflicts.join(', ')}`
          throw new Error(`${files}. Nothing was changed in ${into}; merge it by hand to resolve that.`)
        }
        return outcome === 'merged' ? `Merged ${branch} into ${into}.` : `${into} holds all of ${branch} already.`
      }),

    /** What is not merged is lost: the user has said so by then. */
    drop: (workspace: string, { name, merged }: AgentBranch): Promise<boolean> =>
      attempt(`${name} was not dropped`, async () => {
        const { commit } = await client.call('branches.drop', { workspace, branch: name, unmerged: !merged })
        return `Dropped ${name}; it was at ${commit.slice(0, 10)}.`
      }),

    open: (workspace: string, branch: string): Promise<boolean> =>
      attempt(`${branch} was not opened`, async () => {
        const { folder, known } = await client.call('branches.open', { workspace, branch })
        return known ? `${branch} is open in ${folder}.` : `Checked out ${branch} into ${folder}.`
      }),
  }
}
