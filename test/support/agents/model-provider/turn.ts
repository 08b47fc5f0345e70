// What a fake model provider says to one request, in no wire format yet.

import type { JsonValue, Usage } from '../../../../src/shared/index.ts'

export interface Turn {
  /** In pieces, as they are streamed. */
  text?: readonly string[]
  reasoning?: string
  calls?: readonly { name: string; input: JsonValue; /** Instead of JSON. */ raw?: string }[]
  /** Null: the provider tells none. */
  usage?: Usage | null
  finish?: 'stop' | 'length' | 'refusal'
  /** Before anything is answered. */
  delayMs?: number
  /** An error before the stream. */
  error?: { status: number; headers?: Record<string, string>; body: JsonValue }
  /** `silent`: no answer at all. `hang`: nothing behind the content. `cut`: the connection breaks there. `half`: it ends there. */
  ends?: 'silent' | 'hang' | 'cut' | 'half'
  /** An error in the stream, behind the content, as the provider has it. */
  streamError?: JsonValue
}

/** Server-sent events: those of the content, and those that end the stream. */
export interface Wire {
  content(turn: Turn, model: string): string[]
  end(turn: Turn, model: string): string[]
}

export function event(data: JsonValue, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
}

export const NO_TOKENS: Usage = { outputTokens: 1, inputTokens: 1 }
