// Visits every subschema of a schema with its JSON pointer and base URI.

import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/index.ts'
import { IN_PLACE, shapeOf } from './dialects.ts'

export interface Subschema {
  schema: JsonObject
  /** JSON pointer from the root, '' for the root itself. */
  pointer: string
  /** The URI that references in it are relative to. */
  base: string
  /** Pointer of the schema it stands in, and whether it judges the same value. */
  parent: { pointer: string; inPlace: boolean } | undefined
}

/** A document's own address where it names none. `.invalid` is reserved for addresses that lead nowhere. */
export const ROOT_URI = 'https://schema.invalid/root'

/** Boolean schemas hold nothing and are not visited. `at` is where `root` itself stands, by default nowhere else. */
export function walkSchema(root: JsonValue, at = { pointer: '', base: ROOT_URI }): Subschema[] {
  const found: Subschema[] = []
  const pending: { value: JsonValue; pointer: string; base: string; parent: Subschema['parent'] }[] = [
    { value: root, ...at, parent: undefined },
  ]
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    const { value, pointer, parent } = entry
    if (!isJsonObject(value)) continue
    const base = baseOf(value, entry.base)
    found.push({ schema: value, pointer, base, parent })
    for (const [keyword, held] of Object.entries(value)) {
      const inPlace = IN_PLACE.has(keyword)
      for (const [path, child] of subschemasIn(keyword, held)) {
        pending.push({ value: child, pointer: pointer + path, base, parent: { pointer, inPlace } })
      }
    }
  }
  return found
}

function subschemasIn(keyword: string, held: JsonValue): [string, JsonValue][] {
  const at = `/${escapeSegment(keyword)}`
  switch (shapeOf(keyword)) {
    case 'schema':
      return [[at, held]]
    case 'list':
      return Array.isArray(held) ? held.map((item, index) => [`${at}/${index}`, item]) : []
    case 'schema-or-list':
      return Array.isArray(held) ? held.map((item, index) => [`${at}/${index}`, item]) : [[at, held]]
    case 'map':
    case 'map-or-names':
      return isJsonObject(held)
        ? Object.entries(held).map(([name, item]) => [`${at}/${escapeSegment(name)}`, item])
        : []
    case undefined:
      return []
  }
}

/** The base URI within a schema: its `$id` resolved, where it has one that is more than an anchor. */
function baseOf(schema: JsonObject, outer: string): string {
  const id = schema['$id']
  if (typeof id !== 'string' || id === '' || id.startsWith('#')) return outer
  return resolveUri(id, outer) ?? outer
}

/** The absolute URI of `reference` as seen from `base`, with its fragment; undefined when it is no URI reference. */
export function resolveUri(reference: string, base: string): string | undefined {
  try {
    return new URL(reference, base).href
  } catch {
    return undefined
  }
}

export function escapeSegment(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** What a JSON pointer points to; undefined for nothing. */
export function lookUp(root: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = root
  for (const escaped of pointer.split('/').slice(1)) {
    const segment = escaped.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(value)) value = /^(?:0|[1-9]\d*)$/.test(segment) ? value[Number(segment)] : undefined
    else if (isJsonObject(value) && Object.hasOwn(value, segment)) value = value[segment]
    else return undefined
  }
  return value
}
