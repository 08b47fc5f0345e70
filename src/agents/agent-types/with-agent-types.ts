// Gives a back end named agents: a definition's instructions go ahead of the prompt, its tools and model into the call.

import type { AgentBackend, AgentRequest, AgentRunResult } from '../../engine/index.ts'
import { AgentsError } from '../errors.ts'
import { findDefinition, type AgentDefinition } from './read-definition.ts'

/** Names that only Claude Code knows a model by. */
const CLAUDE_NAMES = new Set(['sonnet', 'opus', 'haiku'])

export interface AgentTypesOptions {
  /** Where definitions are looked for, nearest first. */
  folders(workspace: string): string[]
  /** The back end understands Claude Code's short names of models. */
  claudeModels: boolean
}

/** The same back end, with the capability. A call without `agentType` is not touched. */
export function withAgentTypes(backend: AgentBackend, options: AgentTypesOptions): AgentBackend {
  const { refuse, runner } = backend
  return {
    ...backend,
    capabilities: { ...backend.capabilities, agentType: true },
    ...(refuse && { refuse: ({ agentType: _ours, ...rest }) => refuse(rest) }),
    runner: {
      async run(request, host, signal, onProgress) {
        const { agentType, ...rest } = request
        if (agentType === undefined) return runner.run(request, host, signal, onProgress)
        let defined: AgentRequest
        try {
          const definition = await findDefinition(agentType, options.folders(request.cwd))
          defined = apply(definition, rest, options)
        } catch (error) {
          if (error instanceof AgentsError) return notStarted(error.message)
          throw error
        }
        const refusal = refuse?.(defined)
        if (refusal !== undefined) return notStarted(`The agent "${agentType}" can't be had here: ${refusal}`)
        return runner.run(defined, host, signal, onProgress)
      },
    },
  }
}

function notStarted(error: string): AgentRunResult {
  return { kind: 'dead', error, failure: 'other', notStarted: true }
}

/** What the call itself says comes first; tools are those that both allow. */
function apply(definition: AgentDefinition, request: AgentRequest, options: AgentTypesOptions): AgentRequest {
  const { name, instructions, tools, model } = definition
  const foreign = model !== undefined && CLAUDE_NAMES.has(model) && !options.claudeModels
  if (foreign && request.model === undefined)
    request.warn?.(
      'agent-type/model',
      `the agent "${name}" asks for the model "${model}", which is Claude Code's name: the back end's own is taken`,
    )
  const allowed = intersect(tools, request.allowedTools)
  return {
    ...request,
    prompt: `<instructions agent="${name}">\n${instructions}\n</instructions>\n\n${request.prompt}`,
    ...(request.model === undefined && model !== undefined && !foreign && { model }),
    ...(allowed && { allowedTools: allowed }),
  }
}

function intersect(
  defined: readonly string[] | undefined,
  asked: readonly string[] | undefined,
): readonly string[] | undefined {
  if (defined === undefined || asked === undefined) return asked ?? defined
  return asked.filter((tool) => defined.includes(tool))
}
