// Back end `command`: any program that speaks the `jsonl` protocol, one process a call (docs/guide/back-ends.md).

import type { AgentBackend } from '../../engine/index.ts'
import type { BackendCapabilities } from '../../shared/index.ts'
import { refuseByCapabilities } from '../capabilities.ts'
import { MAX_LINE_BYTES } from '../process/read-lines.ts'
import type { Reaper } from '../process/reaper-client.ts'
import { whyUnavailable } from '../process/why-unavailable.ts'
import type { CommandTiming } from './process-call.ts'
import { runCommandCall } from './run-call.ts'

export interface CommandBackendOptions {
  id: string
  protocol: 'jsonl'
  /** Program and arguments, no shell. Relative paths are taken from the call's folder. */
  command: readonly string[]
  /** What the process inherits: the user's environment. */
  inheritedEnv: Readonly<Record<string, string | undefined>>
  /** On top of it; from the settings. */
  env?: Readonly<Record<string, string>>
  /** Ends the processes should this one be killed. */
  reaper?: Reaper
  /** What the program can't do with the fields of the `run` line, so that such a call is refused before it starts. */
  capabilities?: Partial<
    Pick<BackendCapabilities, 'models' | 'effort' | 'agentType' | 'allowedTools' | 'usage' | 'cost'>
  >
  timing?: Partial<CommandTiming>
  /** Longest line taken from the program, in bytes. Default 64 MiB. */
  maxLineBytes?: number
}

const DEFAULT_TIMING: CommandTiming = {
  cancelToTermMs: 2_000,
  cancelToKillMs: 5_000,
  exitMs: 1_000,
  leftoverMs: 1_000,
  drainMs: 300,
}

const CAPABILITIES: BackendCapabilities = {
  schema: 'native',
  models: true,
  effort: true,
  agentType: true,
  allowedTools: true,
  // A worktree is made by who wraps this back end; on its own it works in the folder it is given.
  worktree: false,
  usage: 'exact',
  cost: true,
  steer: false,
  permissions: false,
  resumeSession: false,
}

export function createCommandBackend(options: CommandBackendOptions): AgentBackend {
  const env = { ...options.inheritedEnv, ...options.env }
  const capabilities = { ...CAPABILITIES, ...options.capabilities }
  const call = {
    command: options.command,
    env,
    maxLineBytes: options.maxLineBytes ?? MAX_LINE_BYTES,
    timing: { ...DEFAULT_TIMING, ...options.timing },
    ...(options.reaper && { reaper: options.reaper }),
  }
  return {
    id: options.id,
    kind: 'command',
    capabilities,
    refuse: (asked) => refuseByCapabilities(options.id, capabilities, asked),
    unavailable: () => Promise.resolve(whyUnavailable(options.command, env)),
    runner: {
      run: (request, _host, signal, onProgress) => runCommandCall(call, request, signal, onProgress),
    },
  }
}
