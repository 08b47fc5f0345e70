// Back ends of the kind `acp`: any agent that speaks the Agent Client Protocol over stdio, one process and session a call.

import type { AgentBackend } from '../../engine/index.ts'
import type { BackendCapabilities } from '../../shared/index.ts'
import { refuseByCapabilities } from '../capabilities.ts'
import type { CommandTiming } from '../command/process-call.ts'
import type { Reaper } from '../process/reaper-client.ts'
import { whyUnavailable } from '../process/why-unavailable.ts'
import { ACP_PRESETS, type AcpPreset, type AcpPresetName } from './presets.ts'

export interface AcpBackendOptions {
  id: string
  preset?: AcpPresetName
  /** Required without a preset. */
  command?: readonly string[]
  /** Of the session, by the agent's own id for it. */
  mode?: string
  inheritedEnv: Readonly<Record<string, string | undefined>>
  env?: Readonly<Record<string, string>>
  reaper?: Reaper
  timing?: Partial<CommandTiming>
}

const TIMING: CommandTiming = {
  cancelToTermMs: 500,
  cancelToKillMs: 3_000,
  exitMs: 1_000,
  leftoverMs: 1_000,
  drainMs: 300,
}

export function createAcpBackend(options: AcpBackendOptions): AgentBackend {
  const preset: AcpPreset | undefined = options.preset && ACP_PRESETS[options.preset]
  const env = { ...options.inheritedEnv, ...options.env }
  const command = options.command ?? preset?.command ?? []
  const capabilities: BackendCapabilities = {
    schema: 'tool',
    models: true,
    effort: true,
    // Given by who wraps this back end.
    agentType: false,
    worktree: false,
    allowedTools: preset?.allowedTools ?? false,
    usage: preset?.usage ?? 'estimated',
    cost: options.preset === 'opencode',
    steer: false,
    permissions: true,
    resumeSession: false,
  }
  const call = {
    command,
    env,
    ...(preset && { preset }),
    ...(options.mode !== undefined && { mode: options.mode }),
    timing: { ...TIMING, ...options.timing },
    ...(options.reaper && { reaper: options.reaper }),
  }
  return {
    id: options.id,
    kind: 'acp',
    capabilities,
    refuse: (asked) => refuseByCapabilities(options.id, capabilities, asked),
    unavailable: () => Promise.resolve(whyUnavailable(command, env)),
    runner: {
      async run(request, _host, signal, onProgress) {
        // Loaded when first needed: the protocol's library is large.
        const { runAcpCall } = await import('./acp-call.ts')
        return runAcpCall(call, request, signal, onProgress)
      },
    },
  }
}
