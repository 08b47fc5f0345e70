// Small readers that the presets share: JSON lines, counts, failures.

import { isJsonObject, type JsonObject, type JsonValue, type Usage } from '../../../shared/index.ts'
import { classifyError, type ErrorFacts } from '../../failures/classify-error.ts'
import { parseWellFormed } from '../../well-formed.ts'
import { clip, type AgentMessage } from '../messages.ts'

/** The object with a `type` that a line holds. */
export function readEvent(line: string): (JsonObject & { type: string }) | undefined {
  if (!/^\s*\{/.test(line)) return undefined
  try {
    const value = parseWellFormed(line)
    if (!isJsonObject(value) || typeof value['type'] !== 'string') return undefined
    return { ...value, type: value['type'] }
  } catch {
    return undefined
  }
}

export function objectAt(value: JsonValue | undefined, key: string): JsonObject {
  const inner = isJsonObject(value) ? value[key] : undefined
  return isJsonObject(inner) ? inner : {}
}

export function listAt(value: JsonValue | undefined, key: string): JsonObject[] {
  const inner = isJsonObject(value) ? value[key] : undefined
  return Array.isArray(inner) ? inner.filter(isJsonObject) : []
}

export function textAt(value: JsonValue | undefined, key: string): string | undefined {
  const inner = isJsonObject(value) ? value[key] : undefined
  return typeof inner === 'string' ? inner : undefined
}

/** 0 for what is no count. */
export function countAt(value: JsonValue | undefined, key: string): number {
  const inner = isJsonObject(value) ? value[key] : undefined
  return typeof inner === 'number' && inner >= 0 && Number.isFinite(inner) ? inner : 0
}

/** Without the counts that are 0 and say nothing. */
export function toUsage({ outputTokens, ...rest }: Required<Omit<Usage, 'costUsd'>> & { costUsd?: number }): Usage {
  const told = Object.entries(rest).filter(([, count]) => count > 0)
  return { outputTokens, ...Object.fromEntries(told) }
}

export function toText(value: JsonValue | undefined): string {
  if (typeof value === 'string') return clip(value)
  if (value === undefined || value === null) return ''
  // Content blocks as the Anthropic API and MCP have them.
  const texts = Array.isArray(value) ? value.flatMap((part) => textAt(part, 'text') ?? []) : []
  return clip(texts.length > 0 ? texts.join('\n') : JSON.stringify(value))
}

export function toolMessage(
  tool: string,
  status: 'running' | 'completed' | 'failed',
  shown: { title?: string | undefined; input?: JsonValue | undefined; output?: JsonValue | undefined } = {},
): AgentMessage {
  const { title, input, output } = shown
  const text = toText(output)
  return {
    type: 'progress',
    progress: {
      kind: 'tool',
      tool,
      ...(title !== undefined && title !== '' && { title }),
      ...(input !== undefined && { input }),
      ...(text !== '' && { output: text }),
      status,
    },
  }
}

export function textMessage(text: string): AgentMessage {
  return { type: 'progress', progress: { kind: 'text', text: clip(text) } }
}

export function errorMessage(facts: ErrorFacts): AgentMessage {
  const message = facts.message === '' ? 'the agent reported an error without a message' : facts.message
  return { type: 'error', message, reason: 'other', ...classifyError(facts) }
}

/** What is no part of the answer, kept as log text. */
export function noteMessage(text: string): AgentMessage {
  return { type: 'progress', progress: { kind: 'raw', text: clip(text) } }
}
