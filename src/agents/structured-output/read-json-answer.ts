// The last resort for structured answers: an agent that can only be told in words gives text, in which the JSON is found.

import type { JsonObject, JsonValue } from '../../shared/index.ts'
import { parseWellFormed } from '../well-formed.ts'

/** What an agent without a schema mode of its own is told behind the prompt. */
export function schemaInstructions(schema: JsonObject | boolean): string {
  return [
    'Your final message must be one JSON value and nothing else: no explanation, no code fence. It has to match this JSON Schema:',
    JSON.stringify(schema),
  ].join('\n')
}

/** What it is told when its answer was refused. */
export function correctionPrompt(errors: readonly string[]): string {
  return [
    'Your answer does not match the JSON Schema that was asked for:',
    ...errors.map((error) => `- ${error}`),
    'Give the whole corrected answer as your final message, in the form that was asked for.',
  ].join('\n')
}

/** The JSON value in a text: bare, in a code fence, or amid other words. The text itself when there is none. */
export function readJsonAnswer(text: string): JsonValue {
  const bare = text.replace(/^\uFEFF/, '').trim()
  const fenced = [...bare.matchAll(/```[a-zA-Z0-9]*[ \t]*\r?\n([\s\S]*?)\r?\n[ \t]*```/g)].map(
    (match) => match[1] ?? '',
  )
  // The last fence is the answer, what stands before it was on the way.
  fenced.reverse()
  for (const candidate of [bare, ...fenced, ...embedded(bare)]) {
    try {
      return parseWellFormed(candidate)
    } catch {
      // The next one may be JSON.
    }
  }
  return text
}

/** From the first opening bracket to the last one that closes it. */
function* embedded(text: string): Generator<string> {
  for (const [open, close] of [
    ['{', '}'],
    ['[', ']'],
  ] as const) {
    const start = text.indexOf(open)
    const end = text.lastIndexOf(close)
    if (start !== -1 && end > start) yield text.slice(start, end + 1)
  }
}
