// `branches.*`: what worktree agents changed, for people to look at and to take or leave.

import { AgentsError, type AgentsErrorCode } from '../../agents/index.ts'
import { HostError, type HostErrorCode } from '../../shared/index.ts'
import type { HostContext } from '../context.ts'
import type { Caller, HostCallHandlers } from './handlers.ts'

type Name = 'branches.list' | 'branches.diff' | 'branches.merge' | 'branches.drop' | 'branches.open'

const CODES: Partial<Record<AgentsErrorCode, HostErrorCode>> = {
  BRANCH_UNKNOWN: 'NOT_FOUND',
  BRANCH_UNMERGED: 'CONFLICT',
  WORKTREE_REFUSED: 'CONFLICT',
  WORKTREE_FAILED: 'CONFLICT',
}

export function branchCalls({ branches }: HostContext): Pick<HostCallHandlers, Name> {
  return {
    'branches.list': ({ workspace, runId }) => translate(() => branches.list(workspace, runId)),
    'branches.diff': ({ workspace, branch }) => translate(() => branches.diff(workspace, branch)),
    'branches.merge': ({ workspace, branch }, caller) => {
      refuseHarness(caller)
      return translate(() => branches.merge(workspace, branch))
    },
    'branches.drop': ({ workspace, branch, unmerged = false }, caller) => {
      refuseHarness(caller)
      return translate(() => branches.drop(workspace, branch, unmerged))
    },
    'branches.open': ({ workspace, branch }, caller) => {
      refuseHarness(caller)
      return translate(() => branches.open(workspace, branch))
    },
  }
}

async function translate<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    const code = error instanceof AgentsError ? CODES[error.code] : undefined
    if (code === undefined || !(error instanceof AgentsError)) throw error
    throw new HostError({ code, message: error.message }, { cause: error })
  }
}

/** They can use git as it is; what comes into the user's checkout is the user's to say. */
function refuseHarness({ identity }: Caller): void {
  if (identity.kind !== 'harness') return
  const message = 'A harness neither merges nor drops nor opens branches of agents here: that is for people'
  throw new HostError({ code: 'NOT_ALLOWED', message })
}
