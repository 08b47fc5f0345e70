// The canonical JSON of a schema, within limits: what it travels and is cached as.

import { canonicalJson, type JsonValue } from '../../shared/index.ts'
import { isDeeperThan, MAX_SCHEMA_DEPTH } from './depth.ts'

/** Far above any schema that a model could make use of. */
const MAX_LENGTH = 1_000_000

export function canonicalOf(schema: JsonValue): { ok: true; text: string } | { ok: false; error: string } {
  if (isDeeperThan(schema, MAX_SCHEMA_DEPTH)) {
    return { ok: false, error: `the schema is too deep: it nests more than ${MAX_SCHEMA_DEPTH} levels` }
  }
  const text = canonicalJson(schema)
  if (text === undefined) return { ok: false, error: 'a schema is an object, `true` or `false`' }
  if (text.length > MAX_LENGTH) {
    return { ok: false, error: `the schema is too large: ${text.length} characters of at most ${MAX_LENGTH}` }
  }
  return { ok: true, text }
}
