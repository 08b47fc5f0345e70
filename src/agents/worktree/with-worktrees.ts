// Gives a back end worktrees: an attempt that asks for isolation runs in a folder of its own, whatever kind of agent it is.

import type { AgentBackend, AgentRequest, AgentRunner, AgentRunResult } from '../../engine/index.ts'
import { AgentsError, messageOf } from '../errors.ts'
import type { Worktree, Worktrees } from './worktrees.ts'

/**
 * The same back end, with the capability. Its calls without isolation are not touched. `carry`: worktrees begin with what is
 * not committed in the workspace, too.
 */
export function withWorktrees(backend: AgentBackend, worktrees: Worktrees, carry = false): AgentBackend {
  const { refuse } = backend
  return {
    ...backend,
    capabilities: { ...backend.capabilities, worktree: true },
    // What is asked for is given here: the back end itself only sees a folder.
    ...(refuse && { refuse: ({ isolation: _ours, ...rest }) => refuse(rest) }),
    runner: { run: createRun(backend.runner, worktrees, carry) },
  }
}

function createRun(runner: AgentRunner, worktrees: Worktrees, carry: boolean): AgentRunner['run'] {
  const told = new Set<string>()
  return async (request, host, signal, onProgress) => {
    if (request.isolation !== 'worktree') return runner.run(request, host, signal, onProgress)
    let worktree: Worktree
    try {
      worktree = await worktrees.create({ ...request, carry })
    } catch (error) {
      if (!(error instanceof AgentsError)) throw error
      return { kind: 'dead', error: error.message, failure: 'other', notStarted: true }
    }
    for (const [code, note] of worktree.notes) {
      // Of one checkout, and so the same for every agent of a run.
      if (told.has(`${request.runId} ${note}`)) continue
      told.add(`${request.runId} ${note}`)
      request.warn?.(code, note)
    }
    const { isolation: _given, ...rest } = request
    try {
      const result = signal.aborted
        ? stopped
        : await runner.run({ ...rest, cwd: worktree.cwd }, host, signal, onProgress)
      return withBranch(result, await finish(worktree, request), request)
    } catch (error) {
      await finish(worktree, request)
      throw error
    }
  }
}

const stopped: AgentRunResult = { kind: 'dead', error: 'stopped before it began', failure: 'other' }

/** The branch, if there is one. What can't be cleaned up is told, not thrown: the agent's answer stands. */
async function finish(worktree: Worktree, request: AgentRequest): Promise<string | undefined> {
  try {
    const { branch, kept } = await worktree.finish()
    if (kept !== undefined) request.warn?.('worktree/kept', kept)
    return branch
  } catch (error) {
    request.warn?.('worktree/kept', `the worktree stays as the agent left it: ${messageOf(error)}`)
    return undefined
  }
}

/** An answer names its branch in its row; of work that came to none the user is told besides. */
function withBranch(result: AgentRunResult, branch: string | undefined, request: AgentRequest): AgentRunResult {
  if (branch === undefined) return result
  if (result.kind !== 'ok')
    request.warn?.('worktree/branch', `what attempt ${request.attempt} had changed is on the branch ${branch}`)
  return result.kind === 'skipped' ? result : { ...result, branch }
}
