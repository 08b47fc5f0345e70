// Judges the answers of one call: text when no schema was asked for, else a value that the schema accepts.

import type { AgentRequest } from '../../engine/index.ts'
import { cutText, type JsonValue } from '../../shared/index.ts'
import { messageOf } from '../errors.ts'

/** A refused answer is shown and kept up to this length. */
const SHOWN_UNITS = 65_536

export type Judgement = { ok: true; value: JsonValue } | { ok: false; errors: string[]; answer: string }

/** Rejects only when the validation itself could not be done. */
export async function judgeAnswer(
  request: AgentRequest,
  output: JsonValue,
  form: 'plain' | 'wrapped' = 'plain',
): Promise<Judgement> {
  const { structured } = request
  if (structured === undefined) return { ok: true, value: typeof output === 'string' ? output : JSON.stringify(output) }
  const verdict = await structured.validate(output, form)
  if (verdict.ok) return verdict
  const errors =
    typeof output === 'string'
      ? [...verdict.errors, 'the output is a string: give the JSON value itself, not text that holds it']
      : verdict.errors
  return { ok: false, errors, answer: showAnswer(output) }
}

function showAnswer(output: JsonValue): string {
  try {
    return cutText(typeof output === 'string' ? output : JSON.stringify(output), SHOWN_UNITS)
  } catch (error) {
    return `(an answer that can't be shown: ${messageOf(error)})`
  }
}
