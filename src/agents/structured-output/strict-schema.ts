// OpenAI's strict mode takes a subset of JSON Schema: every property required, nothing additional, few keywords. The copy made
// here fits it where that is possible; what it adds (null for what may be absent) is taken back before the answer is judged.

import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/index.ts'

const KEPT = new Set(['type', 'enum', 'const', 'description', 'title', '$ref', 'format', 'pattern'])
const NUMBERS = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
])
const FORMATS = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'])

class NotStrict extends Error {}

/** Undefined when the schema can't be said in strict mode (open objects, `allOf`, conditions). The original is not changed. */
export function toStrictSchema(schema: JsonObject): JsonObject | undefined {
  try {
    const strict = copy(schema)
    return strict['type'] === 'object' ? strict : undefined
  } catch (error) {
    if (error instanceof NotStrict) return undefined
    throw error
  }
}

function copy(schema: JsonValue | undefined): JsonObject {
  if (!isJsonObject(schema)) throw new NotStrict()
  const out: JsonObject = {}
  const notes: string[] = []
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'format' && !(typeof value === 'string' && FORMATS.has(value)))
      notes.push(`format: ${JSON.stringify(value)}`)
    else if (KEPT.has(key) || NUMBERS.has(key)) out[key] = value
    else if (key === 'items') out[key] = copy(value)
    else if (key === 'anyOf' || key === 'oneOf') {
      if (!Array.isArray(value)) throw new NotStrict()
      out['anyOf'] = value.map(copy)
    } else if (key === '$defs' || key === 'definitions') out[key] = copyAll(value)
    else if (key === 'properties' || key === 'required' || key === 'additionalProperties' || key === '$schema') continue
    else if (
      ['allOf', 'not', 'if', 'patternProperties', 'dependentSchemas', 'propertyNames', 'prefixItems'].includes(key)
    )
      throw new NotStrict()
    else if (key !== '$id' && key !== '$comment') notes.push(`${key}: ${JSON.stringify(value)}`)
  }
  if (out['type'] === 'object') asObject(schema, out)
  else if (out['type'] === 'array' && out['items'] === undefined) throw new NotStrict()
  else if (['type', 'enum', 'const', '$ref', 'anyOf'].every((key) => out[key] === undefined)) throw new NotStrict()
  if (notes.length > 0) {
    const before = typeof out['description'] === 'string' ? `${out['description']} ` : ''
    out['description'] = `${before}(${notes.join('; ')})`
  }
  return out
}

function copyAll(value: JsonValue): JsonObject {
  if (!isJsonObject(value)) throw new NotStrict()
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, copy(schema)]))
}

function asObject(schema: JsonObject, out: JsonObject): void {
  const { properties = {}, required = [], additionalProperties } = schema
  if (additionalProperties !== undefined && additionalProperties !== false) throw new NotStrict()
  if (!isJsonObject(properties) || !Array.isArray(required)) throw new NotStrict()
  // An object without named properties is a map: strict mode has none.
  if (Object.keys(properties).length === 0) throw new NotStrict()
  out['properties'] = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const strict = copy(property)
      return [name, required.includes(name) ? strict : { anyOf: [strict, { type: 'null' }] }]
    }),
  )
  out['required'] = Object.keys(properties)
  out['additionalProperties'] = false
}

/** The answer without the nulls that only strict mode asked for. */
export function dropStrictNulls(answer: JsonValue, schema: JsonValue | undefined): JsonValue {
  if (!isJsonObject(schema)) return answer
  if (Array.isArray(answer)) return answer.map((item) => dropStrictNulls(item, schema['items']))
  if (!isJsonObject(answer) || !isJsonObject(schema['properties'])) return answer
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const { properties } = schema
  return Object.fromEntries(
    Object.entries(answer).flatMap(([name, value]) => {
      const property = properties[name]
      if (value === null && property !== undefined && !required.includes(name) && !allowsNull(property)) return []
      return [[name, dropStrictNulls(value, property)]]
    }),
  )
}

function allowsNull(schema: JsonValue | undefined): boolean {
  if (!isJsonObject(schema)) return schema === true
  const { type } = schema
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return true
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(null)
  const branches = schema['anyOf'] ?? schema['oneOf']
  return Array.isArray(branches) && branches.some(allowsNull)
}
