// What a preset knows of one command-line agent: its flags, its events, what of a call it can honour.

import type { AgentRequest } from '../../../engine/index.ts'
import type { BackendCapabilities } from '../../../shared/index.ts'
import type { ProcessExit } from '../../process/start-process.ts'
import type { AgentMessage } from '../messages.ts'

/** What agents may do without asking: look only, change files in their folder, or anything. */
export type Access = 'read' | 'write' | 'full'

export interface PresetCall {
  request: AgentRequest
  /** Of this call alone, and gone with it. */
  folder: string
  /** The environment that the process inherits. */
  env: Readonly<Record<string, string | undefined>>
  access: Access
  /** Of the agent's earlier answer in this call, to be continued. */
  session?: string
}

export interface PresetStart {
  /** Behind the program. */
  args: string[]
  env?: Record<string, string>
}

/** Reads the events of one call, over all its processes. */
export interface EventReader {
  /** By which the agent can be asked again. */
  session: string | undefined
  /** Undefined for a line that is no event. */
  read(line: string): AgentMessage[] | undefined
  /** What the end of the process says, when no event told the outcome. */
  end(exit: ProcessExit | undefined): AgentMessage | undefined
}

export interface Preset {
  name: string
  program: string
  capabilities: Pick<BackendCapabilities, 'models' | 'effort' | 'allowedTools' | 'cost'>
  /** How answers get their shape; asked per schema, because a CLI's own mode may not take every one. */
  schemaMode(request: AgentRequest): 'native' | 'prompt'
  /** Prepares the call's folder, before its first process. */
  prepare?(call: PresetCall): Promise<void>
  start(call: PresetCall): PresetStart
  createReader(request: AgentRequest): EventReader
  /** Before the call's folder is removed. */
  finish?(call: PresetCall): Promise<void>
}
