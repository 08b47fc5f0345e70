// Back ends of the kind `command` for command-line agents that are known: their flags, events, schema modes.

import type { AgentBackend } from '../../../engine/index.ts'
import type { BackendCapabilities } from '../../../shared/index.ts'
import { refuseByCapabilities } from '../../capabilities.ts'
import { MAX_LINE_BYTES } from '../../process/read-lines.ts'
import type { Reaper } from '../../process/reaper-client.ts'
import { whyUnavailable } from '../../process/why-unavailable.ts'
import type { CommandTiming } from '../process-call.ts'
import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'
import type { Access, Preset } from './preset.ts'
import { runPresetCall } from './preset-call.ts'
import { qwen } from './qwen.ts'

export const COMMAND_PRESETS = { claude, codex, gemini, opencode, qwen } as const satisfies Record<string, Preset>
export type CommandPresetName = keyof typeof COMMAND_PRESETS

export interface PresetBackendOptions {
  id: string
  preset: CommandPresetName
  /** Instead of the preset's program; what follows the program stands before the preset's arguments. */
  command?: readonly string[]
  /** Behind the preset's arguments. */
  args?: readonly string[]
  /** Default `write`. */
  access?: Access
  inheritedEnv: Readonly<Record<string, string | undefined>>
  env?: Readonly<Record<string, string>>
  reaper?: Reaper
  timing?: Partial<CommandTiming>
}

const TIMING: CommandTiming = {
  // There is no line to cancel them with.
  cancelToTermMs: 0,
  cancelToKillMs: 3_000,
  // They write their sessions after the last event.
  exitMs: 5_000,
  leftoverMs: 1_000,
  drainMs: 300,
}

export function createPresetBackend(options: PresetBackendOptions): AgentBackend {
  const preset: Preset = COMMAND_PRESETS[options.preset]
  const env = { ...options.inheritedEnv, ...options.env }
  const command = options.command ?? [preset.program]
  const capabilities: BackendCapabilities = {
    ...preset.capabilities,
    schema:
      options.preset === 'claude' || options.preset === 'codex' || options.preset === 'qwen' ? 'native' : 'prompt',
    // Given by who wraps this back end.
    agentType: false,
    worktree: false,
    usage: 'exact',
    steer: false,
    permissions: false,
    resumeSession: false,
  }
  const call = {
    preset,
    command,
    extraArgs: options.args ?? [],
    env,
    access: options.access ?? 'write',
    maxLineBytes: MAX_LINE_BYTES,
    timing: { ...TIMING, ...options.timing },
    ...(options.reaper && { reaper: options.reaper }),
  }
  return {
    id: options.id,
    kind: 'command',
    capabilities,
    refuse: (asked) => refuseByCapabilities(options.id, capabilities, asked),
    unavailable: () => Promise.resolve(whyUnavailable(command, env)),
    runner: {
      run: (request, _host, signal, onProgress) => runPresetCall(call, request, signal, onProgress),
    },
  }
}
