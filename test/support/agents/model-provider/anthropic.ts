// The stream of Anthropic's messages.

import type { JsonObject } from '../../../../src/shared/index.ts'
import { event, NO_TOKENS, type Turn, type Wire } from './turn.ts'

const say = (data: JsonObject & { type: string }): string => event(data, data.type)

function blocks(turn: Turn): JsonObject[][] {
  const all: JsonObject[][] = []
  if (turn.reasoning !== undefined)
    all.push([
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: turn.reasoning },
      { type: 'signature_delta', signature: 'c2lnbmVk' },
    ])
  if (turn.text) all.push([{ type: 'text', text: '' }, ...turn.text.map((text) => ({ type: 'text_delta', text }))])
  for (const [index, { name, input, raw }] of (turn.calls ?? []).entries())
    all.push([
      { type: 'tool_use', id: `toolu_${index}`, name, input: {} },
      { type: 'input_json_delta', partial_json: raw ?? JSON.stringify(input) },
    ])
  return all
}

export const anthropic: Wire = {
  content(turn, model) {
    const { inputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = turn.usage ?? NO_TOKENS
    const usage = {
      input_tokens: inputTokens - cacheReadTokens - cacheWriteTokens,
      cache_read_input_tokens: cacheReadTokens,
      cache_creation_input_tokens: cacheWriteTokens,
      output_tokens: 1,
    }
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [], stop_reason: null, usage }
    return [
      say({ type: 'message_start', message }),
      ...blocks(turn).flatMap(([block = {}, ...deltas], index) => [
        say({ type: 'content_block_start', index, content_block: block }),
        ...deltas.map((delta) => say({ type: 'content_block_delta', index, delta })),
        say({ type: 'content_block_stop', index }),
      ]),
    ]
  },
  end(turn) {
    const { outputTokens, reasoningTokens } = turn.usage ?? NO_TOKENS
    const reason = { stop: 'end_turn', length: 'max_tokens', refusal: 'refusal' }[turn.finish ?? 'stop']
    return [
      say({
        type: 'message_delta',
        delta: { stop_reason: turn.calls && turn.finish === undefined ? 'tool_use' : reason, stop_sequence: null },
        usage: {
          output_tokens: outputTokens,
          ...(reasoningTokens !== undefined && { output_tokens_details: { thinking_tokens: reasoningTokens } }),
        },
      }),
      say({ type: 'message_stop' }),
    ]
  },
}
