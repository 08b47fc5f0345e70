// What the handler of a tool works with.

import type { ToolResult } from '../results/tool-result.ts'
import type { ToolSession, ToolSettings } from '../server/tool-session.ts'

export interface CallContext {
  session: ToolSession
  settings: ToolSettings
  /** Aborted when the client cancels the call, and when its connection has closed. */
  signal: AbortSignal
  /** True when the signal says that the client has gone, not that it cancelled. */
  hasDisconnected(): boolean
  /** Sends a progress notification, if the client asked for them. */
  progress(message: string): void
  /** Until when the call has to be answered, in milliseconds from its begin; Infinity for no limit. */
  limitMs: number
}

/** The arguments are what the client sent: anything. */
export type ToolHandler = (input: unknown, context: CallContext) => Promise<ToolResult>
