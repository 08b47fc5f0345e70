// A JSON Schema to a validator, with everything that is to be said of the schema before an agent starts.

import type { ErrorObject, ValidateFunction } from 'ajv'
import { isJsonObject, nearestName, type JsonObject, type JsonValue } from '../../../shared/index.ts'
import { isDeeperThan, MAX_SCHEMA_DEPTH } from '../depth.ts'
import { createAjv, findSchemaViolations, knowsFormat, judging } from './ajv-instances.ts'
import { describeErrors } from './describe-errors.ts'
import { dialectOf, KEYWORDS } from './dialects.ts'
import { withPlainReferences } from './plain-references.ts'
import { findEndlessReference, mapSchema, type SchemaMap } from './references.ts'
import { lookUp, type Subschema } from './walk-schema.ts'
import { needsWrapping, wrapSchema } from './wrap-schema.ts'

export type CompiledSchema =
  | {
      ok: true
      /** Every violation; empty for a value that fits. */
      check(value: JsonValue): ErrorObject[]
      wrapped: boolean
      objectSchema: JsonObject
      notes: string[]
    }
  | { ok: false; errors: string[] }

const MAX_PROBLEMS = 20

/** Never throws for what a schema is, and leaves it unchanged. */
export function compileSchema(schema: JsonValue): CompiledSchema {
  if (typeof schema !== 'boolean' && !isJsonObject(schema)) {
    return refuse(['a schema is an object, `true` or `false`'])
  }
  if (isDeeperThan(schema, MAX_SCHEMA_DEPTH)) return refuse([`the schema nests deeper than ${MAX_SCHEMA_DEPTH} levels`])
  const told = dialectOf(schema)
  if (!told.ok) return refuse([told.error])
  const { dialect } = told
  const violations = findSchemaViolations(schema, dialect)
  if (violations.length > 0) {
    return refuse(describeErrors(withoutSummaries(violations), 'the schema').slice(0, MAX_PROBLEMS))
  }
  const map = mapSchema(schema)
  if (map.errors.length > 0) return refuse(map.errors.slice(0, MAX_PROBLEMS))
  const circle = findEndlessReference(map.subschemas, map.references)
  if (circle) return refuse([`the schema refers to itself without end: ${circle.map((at) => `#${at}`).join(' → ')}`])
  const plain = forAjv(schema, map)
  const ajv = createAjv(dialect, false)
  let fits: ValidateFunction
  try {
    fits = ajv.compile(plain)
  } catch (error) {
    return refuse([error instanceof Error ? error.message : String(error)])
  }
  const wrapped = needsWrapping(schema)
  return {
    ok: true,
    check: makeCheck(fits, () => createAjv(dialect, true).compile(plain)),
    wrapped,
    // Plain JSON: a deep copy, so that the caller's schema is never changed through it.
    objectSchema: wrapped ? wrapSchema(schema, map) : (JSON.parse(JSON.stringify(schema)) as JsonObject),
    notes: collectNotes(map.subschemas, (format) => knowsFormat(ajv, format)),
  }
}

/** Values with more parts than this are told their first violation only: all of them could fill any memory. */
const MAX_PARTS_FOR_ALL = 20_000

/** Most answers fit: the slower validator that lists every violation is made when one does not. */
function makeCheck(fits: ValidateFunction, compileAll: () => ValidateFunction): (value: JsonValue) => ErrorObject[] {
  let all: ValidateFunction | undefined
  return (value) =>
    judging(() => {
      if (fits(value)) return []
      const first = fits.errors ?? []
      if (countParts(value, MAX_PARTS_FOR_ALL) > MAX_PARTS_FOR_ALL) return first
      all ??= compileAll()
      return all(value) ? first : (all.errors ?? first)
    })
}

/** Stops counting above `limit`. */
function countParts(value: JsonValue, limit: number): number {
  const pending = [value]
  let count = 0
  for (let part = pending.pop(); part !== undefined && count <= limit; part = pending.pop()) {
    count++
    if (typeof part !== 'object' || part === null) continue
    for (const child of Array.isArray(part) ? part : Object.values(part)) {
      pending.push(child)
      if (pending.length > limit) return pending.length
    }
  }
  return count
}

function refuse(errors: string[]): CompiledSchema {
  return { ok: false, errors }
}

/** `anyOf` of a meta-schema says less than the errors of its branches. */
function withoutSummaries(errors: readonly ErrorObject[]): ErrorObject[] {
  const telling = errors.filter(({ keyword }) => keyword !== 'anyOf' && keyword !== 'if')
  return telling.length > 0 ? telling : [...errors]
}

/** A copy without what Ajv takes for orders and JSON Schema does not know. */
function forAjv(schema: JsonObject | boolean, map: SchemaMap): JsonObject | boolean {
  const copy = withPlainReferences(schema, map, (pointer) => pointer)
  for (const { pointer } of map.subschemas) {
    const part = lookUp(copy, pointer)
    if (!isJsonObject(part)) continue
    // It would make the validator answer with a promise.
    delete part['$async']
    // OpenAPI's `nullable` is honoured beside a type; alone it has nothing to add, and Ajv throws.
    if (part['type'] === undefined || part['nullable'] !== true) delete part['nullable']
  }
  return copy
}

function collectNotes(subschemas: readonly Subschema[], isKnownFormat: (format: string) => boolean): string[] {
  const notes = new Set<string>()
  for (const { schema, pointer } of subschemas) {
    const place = pointer === '' ? 'the schema' : pointer
    for (const keyword of Object.keys(schema)) if (!KEYWORDS.has(keyword)) notes.add(noteKeyword(keyword, place))
    const format = schema['format']
    if (typeof format === 'string' && !isKnownFormat(format)) {
      notes.add(`${place}: the format ${JSON.stringify(format)} is not known and not checked`)
    }
  }
  return [...notes]
}

function noteKeyword(keyword: string, place: string): string {
  if (keyword === 'nullable') return `${place}: \`nullable\` is OpenAPI's: it is honoured beside \`type\``
  const known = [...KEYWORDS]
  const near = known.find((name) => name.startsWith(keyword)) ?? nearestName(keyword, known)
  const hint = near === undefined ? '' : `; did you mean \`${near}\`?`
  return `${place}: the keyword \`${keyword}\` is not known and not checked${hint}`
}
