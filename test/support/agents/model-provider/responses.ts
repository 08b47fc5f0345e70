// The stream of OpenAI's responses.

import type { JsonObject } from '../../../../src/shared/index.ts'
import { event, NO_TOKENS, type Turn, type Wire } from './turn.ts'

const say = (data: JsonObject & { type: string }): string => event({ sequence_number: 1, ...data }, data.type)
const base = (model: string): JsonObject => ({ id: 'resp_1', object: 'response', created_at: 1, model })

function textEvents(text: readonly string[], index: number): string[] {
  const item = { type: 'message', id: `msg_${index}`, role: 'assistant' }
  const part = { type: 'output_text', text: text.join(''), annotations: [] }
  const at = { item_id: item.id, output_index: index, content_index: 0 }
  return [
    say({
      type: 'response.output_item.added',
      output_index: index,
      item: { ...item, status: 'in_progress', content: [] },
    }),
    say({ type: 'response.content_part.added', ...at, part: { ...part, text: '' } }),
    ...text.map((delta) => say({ type: 'response.output_text.delta', ...at, delta })),
    say({ type: 'response.output_text.done', ...at, text: part.text }),
    say({
      type: 'response.output_item.done',
      output_index: index,
      item: { ...item, status: 'completed', content: [part] },
    }),
  ]
}

function callEvents({ name, input, raw }: NonNullable<Turn['calls']>[number], index: number): string[] {
  const text = raw ?? JSON.stringify(input)
  const item = { type: 'function_call', id: `fc_${index}`, call_id: `call_${index}`, name }
  const at = { item_id: item.id, output_index: index }
  return [
    say({
      type: 'response.output_item.added',
      output_index: index,
      item: { ...item, arguments: '', status: 'in_progress' },
    }),
    say({ type: 'response.function_call_arguments.delta', ...at, delta: text }),
    say({ type: 'response.function_call_arguments.done', ...at, arguments: text }),
    say({
      type: 'response.output_item.done',
      output_index: index,
      item: { ...item, arguments: text, status: 'completed' },
    }),
  ]
}

function reasoningEvents(text: string): string[] {
  const item = { type: 'reasoning', id: 'rs_0', encrypted_content: 'c2lnbmVk' }
  const at = { item_id: item.id, output_index: 0, summary_index: 0 }
  const part = { type: 'summary_text', text }
  return [
    say({ type: 'response.output_item.added', output_index: 0, item: { ...item, summary: [] } }),
    say({ type: 'response.reasoning_summary_part.added', ...at, part: { ...part, text: '' } }),
    say({ type: 'response.reasoning_summary_text.delta', ...at, delta: text }),
    say({ type: 'response.reasoning_summary_part.done', ...at, part }),
    say({ type: 'response.output_item.done', output_index: 0, item: { ...item, summary: [part] } }),
  ]
}

export const responses: Wire = {
  content(turn, model) {
    const before = turn.reasoning === undefined ? 0 : 1
    const first = before + (turn.text ? 1 : 0)
    return [
      say({ type: 'response.created', response: { ...base(model), status: 'in_progress', output: [] } }),
      ...(turn.reasoning === undefined ? [] : reasoningEvents(turn.reasoning)),
      ...(turn.text ? textEvents(turn.text, before) : []),
      ...(turn.calls ?? []).flatMap((call, index) => callEvents(call, first + index)),
    ]
  },
  end(turn, model) {
    const { outputTokens, inputTokens = 0, cacheReadTokens = 0, reasoningTokens = 0 } = turn.usage ?? NO_TOKENS
    const reason = { stop: undefined, length: 'max_output_tokens', refusal: 'content_filter' }[turn.finish ?? 'stop']
    const status = reason === undefined ? 'completed' : 'incomplete'
    const usage = {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: cacheReadTokens },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: reasoningTokens },
      total_tokens: inputTokens + outputTokens,
    }
    const incomplete = reason === undefined ? null : { reason }
    const response = { ...base(model), status, incomplete_details: incomplete, output: [], usage }
    return [say({ type: `response.${status}`, response })]
  },
}
