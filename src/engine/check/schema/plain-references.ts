// A copy of a schema in which every reference is a pointer from the root and nothing else has an address: equal `$id`s of
// different schemas never meet, and no validator has to know what a base URI is.

import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/index.ts'
import type { SchemaMap } from './references.ts'
import { lookUp } from './walk-schema.ts'

const ADDRESSES = ['$id', '$anchor', '$dynamicAnchor', '$recursiveAnchor'] as const

/** `rebase` gives the place of a pointer in the schema that the copy will be part of. */
export function withPlainReferences(
  schema: JsonObject | boolean,
  { subschemas, references }: SchemaMap,
  rebase: (pointer: string) => string,
): JsonObject | boolean {
  // Plain JSON: this is a deep copy.
  const copy = JSON.parse(JSON.stringify(schema)) as JsonObject | boolean
  for (const { pointer } of subschemas) {
    const part = lookUp(copy, pointer)
    if (isJsonObject(part)) for (const name of ADDRESSES) delete part[name]
  }
  for (const { keyword, from, to } of references) {
    const part = lookUp(copy, from)
    if (!isJsonObject(part)) continue
    delete part[keyword]
    addReference(part, `#${encodeURI(rebase(to)).replaceAll('#', '%23')}`)
  }
  return copy
}

/** Two references in one schema (`$ref` beside `$dynamicRef`) both hold. */
function addReference(schema: JsonObject, reference: string): void {
  if (schema['$ref'] === undefined) {
    schema['$ref'] = reference
    return
  }
  const all: JsonValue = schema['allOf'] ?? []
  schema['allOf'] = [...(Array.isArray(all) ? all : []), { $ref: reference }]
}
