// Rewrites a caller's schema into what json-schema-faker understands (one dialect, pointers only) and into what makes a
// telling dry run (lists that hold something, small positive numbers). The caller's schema is never changed, and whatever
// is generated from the rewritten one is judged by the caller's.

import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/index.ts'
import { matchesPattern, toPatternText } from './pattern-text.ts'
import type { Random } from '../random.ts'

const SCHEMA_IN = ['additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames', 'items']
const SCHEMAS_IN = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const SCHEMA_MAPS_IN = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']

export interface NormaliseOptions {
  random: Random
  /** Adds bounds where the schema leaves them open. */
  telling: boolean
}

export function normaliseSchema(schema: JsonObject | boolean, options: NormaliseOptions): JsonObject | boolean {
  if (!isJsonObject(schema)) return schema
  const anchors = new Map<string, string>()
  collectAnchors(schema, '#', anchors)
  return new Normaliser(options, anchors, hasReferenceCycle(schema)).schema(schema)
}

class Normaliser {
  readonly #options: NormaliseOptions
  readonly #anchors: ReadonlyMap<string, string>
  readonly #cyclic: boolean

  constructor(options: NormaliseOptions, anchors: ReadonlyMap<string, string>, cyclic: boolean) {
    this.#options = options
    this.#anchors = anchors
    this.#cyclic = cyclic
  }

  schema<Schema extends JsonValue>(value: Schema): Schema | JsonObject {
    if (!isJsonObject(value)) return value
    const schema: JsonObject = { ...value }
    for (const name of SCHEMA_IN) if (isJsonObject(schema[name])) schema[name] = this.schema(schema[name])
    for (const name of [...SCHEMAS_IN, 'items']) {
      const list = schema[name]
      if (Array.isArray(list)) schema[name] = list.map((item) => this.schema(item))
    }
    for (const name of SCHEMA_MAPS_IN) {
      const map = schema[name]
      if (isJsonObject(map))
        schema[name] = Object.fromEntries(Object.entries(map).map(([key, item]) => [key, this.schema(item)]))
    }
    this.#useOneDialect(schema)
    this.#pointReferences(schema)
    filterEnum(schema)
    this.#nameProperties(schema)
    if (this.#options.telling) {
      boundNumber(schema)
      this.#fillList(schema)
    } else {
      closeBounds(schema)
    }
    return schema
  }

  // Tuples of draft-07 and 2019-09.
  #useOneDialect(schema: JsonObject): void {
    if (!Array.isArray(schema['items'])) return
    schema['prefixItems'] = schema['items']
    delete schema['items']
    if (schema['additionalItems'] !== undefined) schema['items'] = this.schema(schema['additionalItems'])
    delete schema['additionalItems']
  }

  #pointReferences(schema: JsonObject): void {
    for (const name of ['$dynamicRef', '$recursiveRef']) {
      if (typeof schema[name] !== 'string') continue
      schema['$ref'] = schema[name]
      delete schema[name]
    }
    const reference = schema['$ref']
    if (typeof reference === 'string') schema['$ref'] = this.#anchors.get(reference) ?? reference
  }

  // Names for an object whose properties are known by pattern only.
  #nameProperties(schema: JsonObject): void {
    const wanted = Number(schema['minProperties'] ?? 0)
    const known = isJsonObject(schema['properties']) ? schema['properties'] : {}
    if (!(wanted > Object.keys(known).length)) return
    const names = this.#inventNames(schema, wanted)
    if (names.length === 0) return
    schema['properties'] = { ...known, ...Object.fromEntries(names.slice(0, wanted)) }
    const required = Array.isArray(schema['required']) ? schema['required'] : []
    schema['required'] = [...new Set([...required, ...names.slice(0, wanted).map(([name]) => name)])]
    delete schema['propertyNames']
  }

  #inventNames(schema: JsonObject, wanted: number): [string, JsonValue][] {
    const found = new Map<string, JsonValue>()
    const names = schema['propertyNames']
    if (isJsonObject(names)) {
      const rest = schema['additionalProperties'] ?? {}
      const listed = Array.isArray(names['enum']) ? names['enum'] : []
      for (const name of listed) if (typeof name === 'string') found.set(name, rest)
      this.#byPattern(names['pattern'], rest, wanted, found)
    } else if (isJsonObject(schema['patternProperties'])) {
      for (const [pattern, item] of Object.entries(schema['patternProperties']))
        this.#byPattern(pattern, item, wanted, found)
    }
    return [...found]
  }

  #byPattern(pattern: JsonValue | undefined, item: JsonValue, wanted: number, found: Map<string, JsonValue>): void {
    if (typeof pattern !== 'string') return
    for (let n = 0; n < wanted * 3 && found.size < wanted; n++) {
      const name = toPatternText(pattern, 1, Infinity, this.#options.random)
      if (name === undefined) return
      // A pattern that ends open, such as ^x-, is where every name of it begins.
      const longer = `${name}${n}`
      found.set(found.has(name) && matchesPattern(longer, pattern, 1, Infinity) ? longer : name, item)
    }
  }

  // An empty list would hide what the script does with its items. Not where a schema contains itself: it would never end.
  #fillList(schema: JsonObject): void {
    if (schema['type'] !== 'array' || schema['minItems'] !== undefined || schema['items'] === false) return
    if (this.#cyclic || Number(schema['maxItems'] ?? Infinity) < 1) return
    schema['minItems'] = 1
  }
}

function filterEnum(schema: JsonObject): void {
  const { enum: values, type } = schema
  if (!Array.isArray(values) || type === undefined) return
  const fitting = values.filter((value) => [type].flat().some((name) => isOfType(value, name)))
  if (fitting.length > 0) schema['enum'] = fitting
}

function isOfType(value: JsonValue, type: JsonValue): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isJsonObject(value)
  return typeof value === type
}

function isNumeric(schema: JsonObject): boolean {
  return schema['type'] === 'integer' || schema['type'] === 'number'
}

function boundNumber(schema: JsonObject): void {
  if (!isNumeric(schema) || schema['enum'] !== undefined || schema['const'] !== undefined) return
  closeBounds(schema)
  if (schema['minimum'] === undefined && schema['exclusiveMinimum'] === undefined) schema['minimum'] = 1
  closeBounds(schema)
}

// json-schema-faker has ends of its own, which may lie on the wrong side of the one given.
function closeBounds(schema: JsonObject): void {
  if (!isNumeric(schema)) return
  const step = typeof schema['multipleOf'] === 'number' ? schema['multipleOf'] : 1
  const low = largest(schema['minimum'], schema['exclusiveMinimum'])
  const high = smallest(schema['maximum'], schema['exclusiveMaximum'])
  if (low !== undefined && high === undefined) schema['maximum'] = low + 100 * step
  if (high !== undefined && low === undefined) schema['minimum'] = high > 0 ? Math.min(0, high) : high - 100 * step
}

function largest(...bounds: (JsonValue | undefined)[]): number | undefined {
  const numbers = bounds.filter((bound) => typeof bound === 'number')
  return numbers.length === 0 ? undefined : Math.max(...numbers)
}

function smallest(...bounds: (JsonValue | undefined)[]): number | undefined {
  const numbers = bounds.filter((bound) => typeof bound === 'number')
  return numbers.length === 0 ? undefined : Math.min(...numbers)
}

function forEachSchema(schema: JsonObject, visit: (schema: JsonObject, pointer: string) => void, pointer = '#'): void {
  visit(schema, pointer)
  const go = (item: JsonValue | undefined, at: string): void => {
    if (isJsonObject(item)) forEachSchema(item, visit, at)
  }
  for (const name of SCHEMA_IN) go(schema[name], `${pointer}/${name}`)
  for (const name of [...SCHEMAS_IN, 'items']) {
    const list = schema[name]
    if (Array.isArray(list)) for (const [index, item] of list.entries()) go(item, `${pointer}/${name}/${index}`)
  }
  for (const name of SCHEMA_MAPS_IN) {
    const map = schema[name]
    if (!isJsonObject(map)) continue
    for (const [key, item] of Object.entries(map)) go(item, `${pointer}/${name}/${escapePointer(key)}`)
  }
}

function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

function collectAnchors(schema: JsonObject, at: string, anchors: Map<string, string>): void {
  forEachSchema(
    schema,
    (item, pointer) => {
      for (const name of ['$anchor', '$dynamicAnchor']) {
        const anchor = item[name]
        if (typeof anchor === 'string') anchors.set(`#${anchor}`, pointer)
      }
      if (item['$recursiveAnchor'] === true) anchors.set('#', pointer)
    },
    at,
  )
}

// Whether any schema that is referred to holds a reference that leads back into it.
function hasReferenceCycle(schema: JsonObject): boolean {
  const holds = new Map<string, string[]>()
  forEachSchema(schema, (item, pointer) => {
    for (const name of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const reference = item[name]
      if (typeof reference === 'string') holds.set(pointer, [...(holds.get(pointer) ?? []), reference])
    }
  })
  const targets = [...new Set([...holds.values()].flat())]
  const inside = (target: string): string[] =>
    [...holds].flatMap(([pointer, references]) =>
      target === '#' || pointer === target || pointer.startsWith(`${target}/`) ? references : [],
    )
  return targets.some((target) => {
    const seen = new Set<string>()
    const open = inside(target)
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next === target) return true
      if (!seen.has(next)) open.push(...inside(next))
      seen.add(next)
    }
    return false
  })
}
