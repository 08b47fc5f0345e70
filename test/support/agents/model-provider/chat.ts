// The stream of OpenAI's chat completions, which DeepSeek, Ollama, vLLM and LM Studio speak as well.

import type { JsonObject } from '../../../../src/shared/index.ts'
import { event, NO_TOKENS, type Wire } from './turn.ts'

function chunk(model: string, delta: JsonObject, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }]
  return event({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, choices })
}

export const chat: Wire = {
  content(turn, model) {
    const calls = (turn.calls ?? []).map(({ name, input, raw }, index) => ({
      index,
      id: `call_${index}`,
      type: 'function',
      function: { name, arguments: raw ?? JSON.stringify(input) },
    }))
    return [
      chunk(model, { role: 'assistant', content: '' }),
      ...(turn.reasoning === undefined ? [] : [chunk(model, { reasoning_content: turn.reasoning })]),
      ...(turn.text ?? []).map((content) => chunk(model, { content })),
      ...(calls.length === 0 ? [] : [chunk(model, { tool_calls: calls })]),
    ]
  },
  end(turn, model) {
    const { outputTokens, inputTokens = 0, cacheReadTokens = 0, reasoningTokens = 0 } = turn.usage ?? NO_TOKENS
    const reason = { stop: 'stop', length: 'length', refusal: 'content_filter' }[turn.finish ?? 'stop']
    const usage = {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
      prompt_tokens_details: { cached_tokens: cacheReadTokens },
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
      // DeepSeek's own names.
      prompt_cache_hit_tokens: cacheReadTokens,
      prompt_cache_miss_tokens: inputTokens - cacheReadTokens,
    }
    return [
      chunk(model, {}, turn.calls && turn.finish === undefined ? 'tool_calls' : reason),
      ...(turn.usage === null
        ? []
        : [event({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, choices: [], usage })]),
      'data: [DONE]\n\n',
    ]
  },
}
