// One call's schema: compiled before the agent starts, and the judge of every answer to it.

import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/index.ts'
import type { Checker } from '../check/checker.ts'
import type { SchemaVerdict } from '../check/protocol.ts'
import type { Clock, StructuredRequest, StructuredVerdict } from '../ports.ts'
import type { ScriptFacingError } from '../sandbox/protocol.ts'
import { withClockHeld } from './context.ts'

export type Schema = JsonObject | boolean

/** The part of the checker that judges values, in threads of its own. */
export type SchemaChecker = Pick<Checker, 'compileSchema' | 'validate'>

export interface StructuredCall {
  request: StructuredRequest
  /** The engine's own look at an answer before the script sees it. */
  check(answer: JsonValue): Promise<StructuredVerdict>
}

export function isSchema(value: JsonValue | undefined): value is Schema {
  return isJsonObject(value) || typeof value === 'boolean'
}

/** Compiles each schema of a run once. */
export class RunSchemas {
  readonly #checker: SchemaChecker
  readonly #clock: Clock
  readonly #maxRetries: number
  readonly #onNote: (note: string) => void
  /** By its text, with the first schema of that text: all calls share it, so that its canonical form is written out once. */
  readonly #compiled = new Map<string, { schema: Schema; verdict: SchemaVerdict }>()
  readonly #noted = new Set<string>()
  #queue: Promise<unknown> = Promise.resolve()

  constructor(checker: SchemaChecker, clock: Clock, maxRetries: number, onNote: (note: string) => void) {
    this.#checker = checker
    this.#clock = clock
    this.#maxRetries = maxRetries
    this.#onNote = onNote
  }

  /** The call's judge, or why there is none: SCHEMA_INVALID with every error. */
  async prepare(given: Schema): Promise<StructuredCall | ScriptFacingError> {
    const text = JSON.stringify(given)
    let compiled = this.#compiled.get(text)
    if (compiled === undefined) {
      compiled = { schema: given, verdict: await this.#checker.compileSchema(given) }
      this.#compiled.set(text, compiled)
    }
    const { schema, verdict } = compiled
    if (!verdict.ok) {
      const message = `agent: the schema can't be used: ${verdict.errors.join('; ')}`
      return { code: 'SCHEMA_INVALID', message, fatal: true }
    }
    for (const note of verdict.notes) this.#noteOnce(note)
    return this.#makeCall(schema, verdict)
  }

  #makeCall(schema: Schema, { objectSchema, wrapped }: Extract<SchemaVerdict, { ok: true }>): StructuredCall {
    // What was accepted while the agent was asked need not be looked at a second time; with its fields in another order it
    // is. The canonical form would take five times as long.
    let accepted: string | undefined
    const validate: StructuredRequest['validate'] = async (answer, form) => {
      const verdict = await this.#judge(schema, answer, form)
      if (verdict.ok) accepted = JSON.stringify(verdict.value)
      return verdict
    }
    return {
      request: { schema, objectSchema, wrapped, validate, maxRetries: this.#maxRetries },
      check: async (answer) =>
        accepted !== undefined && accepted === JSON.stringify(answer)
          ? { ok: true, value: answer }
          : this.#judge(schema, answer, 'plain'),
    }
  }

  /** The checker has several threads. In virtual time answers come in the order of the questions, so that runs repeat. */
  #judge(schema: Schema, answer: JsonValue, form: 'plain' | 'wrapped'): Promise<StructuredVerdict> {
    if (!this.#clock.virtual) return this.#checker.validate(schema, answer, form)
    const before = this.#queue
    // Asked at once, told in order.
    const verdict = withClockHeld(this.#clock, async () => {
      const [judged] = await Promise.all([this.#checker.validate(schema, answer, form), before])
      return judged
    })
    this.#queue = verdict.catch(() => undefined)
    return verdict
  }

  #noteOnce(note: string): void {
    if (this.#noted.has(note)) return
    this.#noted.add(note)
    this.#onNote(note)
  }
}
