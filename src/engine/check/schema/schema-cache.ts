// One compilation a schema: equal schemas, by their canonical JSON, share it. Bounded, the least recently used goes first.

import type { JsonValue } from '../../../shared/index.ts'
import { compileSchema, type CompiledSchema } from './compile-schema.ts'

const MAX_ENTRIES = 100

export class SchemaCache {
  readonly #entries = new Map<string, CompiledSchema>()

  /** `key` is the schema's canonical JSON; it is parsed when it is new. */
  compile(key: string): CompiledSchema {
    const known = this.#entries.get(key)
    if (known !== undefined) {
      // Moves it to the end: a Map keeps the order of insertion.
      this.#entries.delete(key)
      this.#entries.set(key, known)
      return known
    }
    // Canonical JSON is JSON.
    const compiled = compileSchema(JSON.parse(key) as JsonValue)
    this.#entries.set(key, compiled)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > MAX_ENTRIES && oldest !== undefined) this.#entries.delete(oldest)
    return compiled
  }
}
