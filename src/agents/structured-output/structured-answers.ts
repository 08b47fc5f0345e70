// The answers of one call: text as it is, or the value that was handed over by the tool `structured_output`.

import type { AgentRequest, AgentRunResult, StructuredVerdict } from '../../engine/index.ts'
import { cutText, type JsonValue, type Usage } from '../../shared/index.ts'
import type { CallLog } from '../command/call-log.ts'
import { OUTPUT_TOOL } from './output-names.ts'
import { readJsonAnswer } from './read-json-answer.ts'

const SHOWN_UNITS = 65_536

export class StructuredAnswers {
  rejections = 0
  readonly #request: AgentRequest
  readonly #log: CallLog
  readonly #onTooMany: () => void
  #accepted: { value: JsonValue } | undefined
  #last: { errors: string[]; answer: string } = { errors: [], answer: '' }

  /** `onTooMany`: as many wrong answers as were allowed, and one more. */
  constructor(request: AgentRequest, log: CallLog, onTooMany: () => void) {
    this.#request = request
    this.#log = log
    this.#onTooMany = onTooMany
  }

  get isAccepted(): boolean {
    return this.#accepted !== undefined
  }

  get isSpent(): boolean {
    return this.rejections > (this.#request.structured?.maxRetries ?? 0)
  }

  readonly judge = async (answer: JsonValue, form: 'plain' | 'wrapped' = 'wrapped'): Promise<StructuredVerdict> => {
    const { structured } = this.#request
    if (structured === undefined) return { ok: true, value: answer }
    if (this.isSpent) return { ok: false, errors: ['no further answer is taken'] }
    const verdict = await structured.validate(answer, form)
    if (verdict.ok) this.#accepted = { value: verdict.value }
    else this.#refuse(verdict.errors, JSON.stringify(answer))
    return verdict
  }

  /** The turn is over: the answer, or what the agent is to be told; `text` is what it said last. */
  async conclude(text: string, usage: Usage): Promise<AgentRunResult | { nudge: string }> {
    const rejected = (): { rejections?: number } => (this.rejections > 0 ? { rejections: this.rejections } : {})
    const { structured } = this.#request
    if (structured === undefined) return { kind: 'ok', output: text, usage }
    if (this.#accepted === undefined && text.trim() !== '' && !this.isSpent) {
      // An agent that has not seen the tool may have written the value itself.
      const written = readJsonAnswer(text)
      const verdict =
        typeof written === 'string' && written === text ? undefined : await structured.validate(written, 'plain')
      if (verdict?.ok === true) this.#accepted = { value: verdict.value }
    }
    if (this.#accepted) return { kind: 'ok', output: this.#accepted.value, usage, ...rejected() }
    if (!this.isSpent) {
      this.#refuse([`the tool ${OUTPUT_TOOL} was not called with an answer that matches the schema`], text)
      if (!this.isSpent)
        return { nudge: `Your turn ended without an accepted answer. Call the tool ${OUTPUT_TOOL} with it now.` }
    }
    return this.failure(usage)
  }

  failure(usage: Usage | undefined): AgentRunResult {
    const { errors, answer } = this.#last
    const verdict =
      this.rejections === 1
        ? 'The answer did not match the schema'
        : `None of ${this.rejections} answers matched the schema`
    return {
      kind: 'dead',
      failure: 'schema',
      error: `${verdict}: ${errors.join('; ')}`,
      partial: answer,
      rejections: this.rejections,
      ...(usage && { usage }),
    }
  }

  #refuse(errors: string[], answer: string): void {
    this.rejections++
    this.#last = { errors, answer: cutText(answer, SHOWN_UNITS) }
    this.#log.progress({ kind: 'rejected', ...this.#last })
    if (this.isSpent) this.#onTooMany()
  }
}
