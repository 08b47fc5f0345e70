// Back ends want an object at the root of a schema. Any other root goes under `value`, and its references with it.

import { isJsonObject, type JsonObject } from '../../../shared/index.ts'
import { withPlainReferences } from './plain-references.ts'
import type { SchemaMap } from './references.ts'

/** Model interfaces refuse these at the root of an object, whatever the JSON Schema standard says. */
const NOT_AT_ROOT = ['$ref', '$dynamicRef', '$recursiveRef', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'enum', 'const']

/** Definitions stay at the root, where back ends look for them. */
const HOISTED = ['$schema', '$defs', 'definitions'] as const

export function needsWrapping(schema: JsonObject | boolean): boolean {
  if (typeof schema === 'boolean') return true
  return schema['type'] !== 'object' || NOT_AT_ROOT.some((keyword) => Object.hasOwn(schema, keyword))
}

/** A new schema; the given one is left as it is. */
export function wrapSchema(schema: JsonObject | boolean, map: SchemaMap): JsonObject {
  const inner = withPlainReferences(schema, map, rebase)
  const wrapper: JsonObject = {
    type: 'object',
    properties: { value: inner },
    required: ['value'],
    additionalProperties: false,
  }
  if (!isJsonObject(inner)) return wrapper
  for (const keyword of HOISTED) {
    const held = inner[keyword]
    if (held === undefined) continue
    wrapper[keyword] = held
    delete inner[keyword]
  }
  return wrapper
}

function rebase(pointer: string): string {
  return /^\/(?:\$defs|definitions)(?:\/|$)/.test(pointer) ? pointer : `/properties/value${pointer}`
}
