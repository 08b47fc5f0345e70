// ACP agents that are known: how they are started, how they are kept from starting workflows, what their usage means.

import type { PromptResponse } from '@agentclientprotocol/sdk/unstable'
import type { AgentRequest } from '../../engine/index.ts'
import type { BackendCapabilities, Usage } from '../../shared/index.ts'
import { makeCodexHome } from '../command/presets/codex.ts'
import { countAt, objectAt, toUsage } from '../command/presets/events.ts'
import { opencodeEnvironment } from '../command/presets/opencode.ts'
import { OUTPUT_SERVER } from '../structured-output/output-names.ts'
import { toJson } from '../to-json.ts'

export interface AcpPreset {
  command: readonly string[]
  /** Set before the first prompt, where the agent has such a mode. */
  mode?: string
  /** `estimated`: only a part of a turn is told. */
  usage: BackendCapabilities['usage']
  allowedTools?: true
  environment?(call: AcpCall): Promise<Record<string, string>> | Record<string, string>
}

interface AcpCall {
  request: AgentRequest
  folder: string
  env: Readonly<Record<string, string | undefined>>
}

export const ACP_PRESETS = {
  claude: { command: ['claude-agent-acp'], mode: 'default', usage: 'exact' },
  codex: {
    command: ['codex-acp'],
    usage: 'exact',
    environment: async (call) => ({ CODEX_HOME: await makeCodexHome(call) }),
  },
  gemini: { command: ['gemini', '--acp', '--allowed-mcp-server-names', OUTPUT_SERVER], usage: 'exact' },
  goose: { command: ['goose', 'acp'], usage: 'none' },
  opencode: {
    command: ['opencode', 'acp'],
    // It tells the last request of a turn alone.
    usage: 'estimated',
    allowedTools: true,
    environment: (call) => opencodeEnvironment({ ...call, access: 'write' }),
  },
  qwen: { command: ['qwen', '--acp'], usage: 'none' },
} as const satisfies Record<string, AcpPreset>
export type AcpPresetName = keyof typeof ACP_PRESETS

/** Of one turn; undefined where the agent tells none. */
export function readTurnUsage(response: PromptResponse): Usage | undefined {
  const { usage } = response
  if (usage) {
    return toUsage({
      outputTokens: usage.outputTokens,
      inputTokens: usage.inputTokens,
      cacheReadTokens: usage.cachedReadTokens ?? 0,
      cacheWriteTokens: usage.cachedWriteTokens ?? 0,
      reasoningTokens: usage.thoughtTokens ?? 0,
    })
  }
  // Gemini's own place for it.
  const quota = objectAt(objectAt(objectAt(toJson(response), '_meta'), 'quota'), 'token_count')
  const outputTokens = countAt(quota, 'output_tokens')
  const inputTokens = countAt(quota, 'input_tokens')
  if (outputTokens + inputTokens === 0) return undefined
  return toUsage({ outputTokens, inputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 })
}
