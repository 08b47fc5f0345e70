// Options that a back end can't honour are refused in words before the agent starts: none is accepted and ignored.

import type { AgentBackend } from '../engine/index.ts'
import type { BackendCapabilities } from '../shared/index.ts'

export type AgentOptions = Parameters<NonNullable<AgentBackend['refuse']>>[0]

/** Which of the options back end `id` refuses, all of them at once; undefined when it takes them. */
export function refuseByCapabilities(
  id: string,
  capabilities: BackendCapabilities,
  options: AgentOptions,
): string | undefined {
  const refused: string[] = []
  if (options.model !== undefined && !capabilities.models) refused.push(`choose a model (model: "${options.model}")`)
  if (options.effort !== undefined && !capabilities.effort) refused.push(`set the effort (effort: "${options.effort}")`)
  if (options.agentType !== undefined && !capabilities.agentType)
    refused.push(`run a named agent (agentType: "${options.agentType}")`)
  if (options.allowedTools !== undefined && !capabilities.allowedTools) refused.push('restrict tools (allowedTools)')
  if (options.isolation !== undefined && !capabilities.worktree)
    refused.push(`work in a worktree of its own (isolation: "${options.isolation}")`)
  return refused.length === 0 ? undefined : `back end "${id}" cannot ${refused.join(', nor ')}`
}
