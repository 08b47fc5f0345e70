// The stream of Gemini's generateContent.

import type { JsonObject, JsonValue } from '../../../../src/shared/index.ts'
import { event, NO_TOKENS, type Wire } from './turn.ts'

function candidate(model: string, parts: JsonValue[], more: JsonObject = {}, top: JsonObject = {}): string {
  return event({ candidates: [{ content: { role: 'model', parts }, index: 0, ...more }], modelVersion: model, ...top })
}

export const gemini: Wire = {
  content(turn, model) {
    const calls = (turn.calls ?? []).map(({ name, input }) => ({
      functionCall: { name, args: input },
      // Goes back with the call, else Gemini refuses the next request.
      thoughtSignature: 'c2lnbmVk',
    }))
    return [
      ...(turn.reasoning === undefined ? [] : [candidate(model, [{ text: turn.reasoning, thought: true }])]),
      ...(turn.text ?? []).map((text) => candidate(model, [{ text }])),
      ...(calls.length === 0 ? [] : [candidate(model, calls)]),
    ]
  },
  end(turn, model) {
    const { outputTokens, inputTokens = 0, cacheReadTokens = 0, reasoningTokens = 0 } = turn.usage ?? NO_TOKENS
    const reason = { stop: 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY' }[turn.finish ?? 'stop']
    const usageMetadata = {
      promptTokenCount: inputTokens,
      cachedContentTokenCount: cacheReadTokens,
      // Gemini counts what it thinks apart.
      candidatesTokenCount: outputTokens - reasoningTokens,
      thoughtsTokenCount: reasoningTokens,
      totalTokenCount: inputTokens + outputTokens,
    }
    return [candidate(model, [], { finishReason: reason }, { usageMetadata })]
  },
}
