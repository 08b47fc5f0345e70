// The dialects of JSON Schema that are understood, told by `$schema`, and where each keeps its subschemas.

import type { JsonValue } from '../../../shared/index.ts'

export type Dialect = '2020-12' | '2019-09' | 'draft-07'

const URIS: Readonly<Record<string, Dialect>> = {
  'json-schema.org/draft/2020-12/schema': '2020-12',
  'json-schema.org/draft/2019-09/schema': '2019-09',
  'json-schema.org/draft-07/schema': 'draft-07',
}

/** The dialect of a schema; 2020-12 unless it says otherwise. */
export function dialectOf(schema: JsonValue): { ok: true; dialect: Dialect } | { ok: false; error: string } {
  const given = typeof schema === 'object' && schema !== null && !Array.isArray(schema) ? schema['$schema'] : undefined
  if (given === undefined) return { ok: true, dialect: '2020-12' }
  const uri = typeof given === 'string' ? given.replace(/^https?:\/\//, '').replace(/#$/, '') : ''
  const dialect = Object.hasOwn(URIS, uri) ? URIS[uri] : undefined
  if (dialect !== undefined) return { ok: true, dialect }
  return {
    ok: false,
    error: `the dialect ${JSON.stringify(given)} is not supported: $schema may name 2020-12 (the default), 2019-09 or draft-07`,
  }
}

/** How a keyword holds subschemas. `items` and `dependencies` hold them in more than one way. */
export type Shape = 'schema' | 'list' | 'map' | 'schema-or-list' | 'map-or-names'

const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ...named('schema', 'additionalItems additionalProperties contains contentSchema else if not propertyNames then'),
  ...named('schema', 'unevaluatedItems unevaluatedProperties'),
  ...named('list', 'allOf anyOf oneOf prefixItems'),
  ...named('map', '$defs definitions dependentSchemas patternProperties properties'),
  ...named('schema-or-list', 'items'),
  ...named('map-or-names', 'dependencies'),
])

function named(shape: Shape, keywords: string): [string, Shape][] {
  return keywords.split(' ').map((keyword) => [keyword, shape])
}

export function shapeOf(keyword: string): Shape | undefined {
  return SHAPES.get(keyword)
}

/** Keywords whose subschemas judge the same value as the schema they stand in. */
export const IN_PLACE: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'dependencies',
  'dependentSchemas',
  'else',
  'if',
  'not',
  'oneOf',
  'then',
])

export const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'] as const

const PLAIN_KEYWORDS = (
  '$schema $id $anchor $comment $vocabulary $dynamicAnchor $recursiveAnchor type enum const ' +
  'multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern ' +
  'maxItems minItems uniqueItems maxContains minContains maxProperties minProperties ' +
  'required dependentRequired format contentEncoding contentMediaType ' +
  'title description default deprecated readOnly writeOnly examples'
).split(' ')

/** Every keyword of the dialects; what is none of them is a note. */
export const KEYWORDS: ReadonlySet<string> = new Set([...PLAIN_KEYWORDS, ...REFERENCES, ...SHAPES.keys()])
