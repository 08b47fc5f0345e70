// The back end `harness` where the caller has none of its own: it says so, in the words that harnesses rely on.

import type { AgentBackend } from '../../engine/index.ts'

/** `client` is undefined for a run that no harness asked for. */
export function createHarnessBackend(id: string, client: string | undefined): AgentBackend {
  const reason =
    client === undefined
      ? 'it runs the agents of the harness that asks for a run, and none has'
      : `workflow tool requires a calling agent (${client} has no agent back end configured)`
  return {
    id,
    kind: 'harness',
    capabilities: {
      schema: 'prompt',
      models: false,
      effort: false,
      agentType: false,
      allowedTools: false,
      worktree: false,
      usage: 'none',
      cost: false,
      steer: false,
      permissions: false,
      resumeSession: false,
    },
    unavailable: () => Promise.resolve(reason),
    runner: { run: () => Promise.resolve({ kind: 'dead', error: reason, failure: 'other', notStarted: true }) },
  }
}
