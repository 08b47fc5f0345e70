// The lines of the command protocol `jsonl`, both ways. What an agent writes is checked field by field; a line that is no
// message is log text, never an error.

import type { AgentRequest } from '../../engine/index.ts'
import {
  isJsonObject,
  toWellFormed,
  type AgentProgress,
  type FailureKind,
  type JsonObject,
  type JsonValue,
  type Usage,
} from '../../shared/index.ts'
import { agentFraming } from '../framing.ts'
import { parseWellFormed } from '../well-formed.ts'

// Readers of lines in many languages (Node's readline, Python's splitlines) also break at these: they are escaped.
const OTHER_LINE_ENDS = /[\u0085\u2028\u2029]/g

export type AgentMessage =
  | { type: 'progress'; progress: AgentProgress }
  | { type: 'usage'; usage: Usage }
  /** `form`: the value is for `StructuredRequest.objectSchema`. */
  | { type: 'result'; output: JsonValue; usage?: Usage; form?: 'wrapped' }
  | {
      type: 'error'
      message: string
      reason: ErrorReason
      /** Decides instead of `reason`, where the reader of a CLI's events knows it. */
      failure?: FailureKind
      rateLimited?: boolean
      retryable?: boolean
      retryAfterMs?: number
      usage?: Usage
    }

const REASONS = ['quota', 'auth', 'network', 'refused', 'other'] as const
export type ErrorReason = (typeof REASONS)[number]

/**
 * The one line that starts a call. `prompt` is the script's, byte for byte (half a surrogate pair, which UTF-8 can't carry,
 * is U+FFFD); what Weft adds is in `framing`.
 */
export function toRunLine(request: AgentRequest): string {
  const { structured } = request
  return toLine({
    type: 'run',
    prompt: toWellFormed(request.prompt),
    framing: agentFraming({ structured: structured !== undefined }),
    ...(structured && { schema: structured.schema }),
    ...(request.model !== undefined && { model: request.model }),
    ...(request.effort !== undefined && { effort: request.effort }),
    ...(request.agentType !== undefined && { agentType: request.agentType }),
    ...(request.allowedTools !== undefined && { allowedTools: [...request.allowedTools] }),
    label: request.label,
    cwd: request.cwd,
    runId: request.runId,
    call: request.path,
    attempt: request.attempt,
  })
}

export function toInvalidLine(errors: readonly string[]): string {
  return toLine({ type: 'invalid', errors: [...errors] })
}

export const CANCEL_LINE: string = toLine({ type: 'cancel' })

function toLine(message: JsonObject): string {
  const line = JSON.stringify(message).replace(
    OTHER_LINE_ENDS,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `${line}\n`
}

/** Undefined for a line that is no message of the protocol. */
export function parseAgentMessage(line: string): AgentMessage | undefined {
  if (!/^\s*\{/.test(line)) return undefined
  let value: JsonValue
  try {
    value = parseWellFormed(line)
  } catch {
    return undefined
  }
  if (!isJsonObject(value)) return undefined
  switch (value['type']) {
    case 'progress': {
      const progress = readProgress(value)
      return progress && { type: 'progress', progress }
    }
    case 'usage': {
      const usage = readUsage(value)
      return usage && { type: 'usage', usage }
    }
    case 'result': {
      if (value['output'] === undefined) return undefined
      const usage = readUsage(value['usage'])
      return { type: 'result', output: value['output'], ...(usage && { usage }) }
    }
    case 'error':
      return readError(value)
    default:
      return undefined
  }
}

const TEXT_UNITS = 16_384

function readProgress(value: JsonObject): AgentProgress | undefined {
  const { tool, text, title, input, output, status } = value
  if (typeof tool === 'string') {
    return {
      kind: 'tool',
      tool,
      ...(typeof title === 'string' && { title }),
      ...(input !== undefined && { input }),
      ...(output !== undefined && { output: clip(typeof output === 'string' ? output : JSON.stringify(output)) }),
      ...((status === 'running' || status === 'completed' || status === 'failed') && { status }),
    }
  }
  return typeof text === 'string' ? { kind: 'text', text: clip(text) } : undefined
}

export function clip(text: string): string {
  return text.length <= TEXT_UNITS ? text : toWellFormed(`${text.slice(0, TEXT_UNITS)}…`)
}

const OPTIONAL_COUNTS = ['inputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens', 'costUsd'] as const

// Undefined when no field of it is a count.
function readUsage(value: JsonValue | undefined): Usage | undefined {
  if (!isJsonObject(value)) return undefined
  const usage: Usage = { outputTokens: isCount(value['outputTokens']) ? value['outputTokens'] : 0 }
  let any = isCount(value['outputTokens'])
  for (const name of OPTIONAL_COUNTS) {
    const count = value[name]
    if (!isCount(count)) continue
    usage[name] = count
    any = true
  }
  return any ? usage : undefined
}

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value)
}

function readError(value: JsonObject): AgentMessage {
  const { message, retryable, retryAfterMs } = value
  const reason = REASONS.find((known) => known === value['reason']) ?? 'other'
  const usage = readUsage(value['usage'])
  return {
    type: 'error',
    message: typeof message === 'string' && message !== '' ? message : 'the agent reported an error without a message',
    reason,
    ...(typeof retryable === 'boolean' && { retryable }),
    ...(isCount(retryAfterMs) && { retryAfterMs }),
    ...(usage && { usage }),
  }
}
