// Back ends that may be configured and can't run agents: they say so wherever they are asked.

import type { AgentBackend } from '../../engine/index.ts'
import type { LaterSettings } from '../settings/schema.ts'

export function createLaterBackend(
  id: string,
  { kind }: LaterSettings,
  reason = `the kind "${kind}" is not available in this version`,
): AgentBackend {
  return {
    id,
    kind,
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
