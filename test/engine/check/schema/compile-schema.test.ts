import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileSchema } from '../../../../src/engine/check/schema/compile-schema.ts'
import { describeErrors } from '../../../../src/engine/check/schema/describe-errors.ts'
import { SchemaCache } from '../../../../src/engine/check/schema/schema-cache.ts'
import { canonicalJson, type JsonObject, type JsonValue } from '../../../../src/shared/index.ts'

function errorsOf(schema: JsonValue, value: JsonValue): string[] {
  const compiled = compileSchema(schema)
  if (!compiled.ok) throw new Error(compiled.errors.join('\n'))
  return describeErrors(compiled.check(value), 'the answer')
}

function refusal(schema: JsonValue): string {
  const compiled = compileSchema(schema)
  return compiled.ok ? 'accepted' : compiled.errors.join('\n')
}

function notes(schema: JsonValue): string[] {
  const compiled = compileSchema(schema)
  return compiled.ok ? compiled.notes : ['refused']
}

describe('the dialect', () => {
  const TUPLE = { type: 'array', items: [{ type: 'string' }], additionalItems: false }

  it('is the one that $schema names, 2020-12 without it', () => {
    expect(errorsOf({ type: 'array', prefixItems: [{ type: 'string' }], items: false }, ['a', 1])).toHaveLength(1)
    expect(errorsOf({ $schema: 'http://json-schema.org/draft-07/schema#', ...TUPLE }, ['a', 1])).toHaveLength(1)
    expect(errorsOf({ $schema: 'http://json-schema.org/draft-07/schema', ...TUPLE }, ['a'])).toEqual([])
    expect(errorsOf({ $schema: 'https://json-schema.org/draft/2019-09/schema', ...TUPLE }, [1])).toHaveLength(1)
    expect(errorsOf({ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'string' }, 1)).toHaveLength(1)
    expect(refusal(TUPLE)).toBe('/items must be object or boolean, not array')
  })

  it.each(['http://json-schema.org/draft-04/schema#', 'https://example.com/mine', 7])(
    '%j is refused in words',
    (uri) => {
      expect(refusal({ $schema: uri })).toContain('is not supported: $schema may name 2020-12')
    },
  )

  it('of 2019-09 and 2020-12 has unevaluated properties', () => {
    const schema = { type: 'object', allOf: [{ properties: { a: true } }], unevaluatedProperties: false }
    expect(errorsOf(schema, { a: 1, b: 2 })).toEqual(['the answer has the property "b", which is not allowed'])
  })
})

describe('a schema', () => {
  it.each([
    [{ type: 'objekt' }, '/type must be one of "array"'],
    [{ type: 'object', required: 'a' }, '/required must be array, not string'],
    [{ minLength: -1 }, '/minLength must be >= 0'],
    [{ properties: { a: { enum: 'x' } } }, '/properties/a/enum must be array, not string'],
    [{ type: 'string', pattern: '(' }, 'Invalid regular expression'],
    ['string', 'a schema is an object, `true` or `false`'],
    [null, 'a schema is an object, `true` or `false`'],
    [[], 'a schema is an object, `true` or `false`'],
  ] as [JsonValue, string][])('%j is refused where it is wrong', (schema, message) => {
    expect(refusal(schema)).toContain(message)
  })

  it.each([
    [{ type: 'integer', format: 'uint' }, ['the schema: the format "uint" is not known and not checked']],
    [
      { type: 'integer', min: 1, 'x-note': 'y' },
      [
        'the schema: the keyword `min` is not known and not checked; did you mean `minimum`?',
        'the schema: the keyword `x-note` is not known and not checked',
      ],
    ],
    [{ properties: { min: { type: 'string', format: 'date' } } }, []],
    [
      { $async: true, id: 'x' },
      [
        'the schema: the keyword `$async` is not known and not checked',
        'the schema: the keyword `id` is not known and not checked; did you mean `$id`?',
      ],
    ],
  ] as [JsonValue, string[]][])('%j is taken, with notes', (schema, expected) => {
    expect(notes(schema)).toEqual(expected)
  })

  it('with patterns that only work outside of Unicode mode is taken', () => {
    expect(errorsOf({ type: 'string', pattern: '^[\\w-\\.]+$' }, 'a-b.c')).toEqual([])
    expect(errorsOf({ type: 'string', pattern: '^\\p{L}+$' }, 'é')).toEqual([])
  })

  it('asks for own properties, not inherited ones', () => {
    expect(errorsOf({ required: ['toString'], properties: { constructor: { type: 'string' } } }, {})).toEqual([
      'the answer lacks the property "toString"',
    ])
  })

  it('honours nullable beside a type', () => {
    expect(errorsOf({ type: 'string', nullable: true }, null)).toEqual([])
    expect(errorsOf({ nullable: true }, 1)).toEqual([])
    expect(errorsOf({ type: ['string', 'null'], nullable: false }, null)).toEqual([])
  })

  it('nested too deep is refused', () => {
    let schema: JsonObject = {}
    for (let i = 0; i < 10_000; i++) schema = { not: schema }
    expect(refusal(schema)).toBe('the schema nests deeper than 200 levels')
  })

  it('is compiled once for all equal ones, and the cache is bounded', () => {
    const cache = new SchemaCache()
    const key = (n: number): string => canonicalJson({ type: 'object', properties: { n: { const: n } } })
    const first = cache.compile(key(0))
    for (let i = 0; i < 10_000; i++) expect(cache.compile(key(0))).toBe(first)
    for (let n = 1; n <= 120; n++) cache.compile(key(n))
    expect(cache.compile(key(0))).not.toBe(first)
  })
})

describe('a reference', () => {
  it.each([
    ['a definition', { $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }],
    ['an escaped name', { $ref: '#/$defs/a~1b%25%20c', $defs: { 'a/b% c': { type: 'string' } } }],
    ['an anchor', { $ref: '#here', $defs: { a: { $anchor: 'here', type: 'string' } } }],
    [
      'the own $id',
      { $id: 'https://example.com/s', $ref: 'https://example.com/s#/$defs/a', $defs: { a: { type: 'string' } } },
    ],
    ['a relative $id', { $id: 'R', $ref: 'R#/$defs/a', $defs: { a: { type: 'string' } } }],
    [
      'an embedded schema',
      { $ref: 'inner', $defs: { a: { $id: 'inner', $ref: '#/$defs/b', $defs: { b: { type: 'string' } } } } },
    ],
    [
      'a place under a keyword of the author',
      { $ref: '#/x-shared/a', 'x-shared': { a: { $ref: '#/x-shared/b' }, b: { type: 'string' } } },
    ],
    ['a URN', { $id: 'urn:example:s', $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }],
    [
      'a draft-07 definition',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        $ref: '#/definitions/a',
        definitions: { a: { type: 'string' } },
      },
    ],
    ['a dynamic anchor', { $dynamicRef: '#d', $defs: { a: { $dynamicAnchor: 'd', type: 'string' } } }],
  ] as [string, JsonObject][])('to %s holds, in the schema and in its wrapped form', (_what, schema) => {
    expect([errorsOf(schema, 'x'), errorsOf(schema, 1)]).toEqual([[], ['the answer must be string, not number']])
    const compiled = compileSchema(schema)
    if (!compiled.ok) throw new Error('refused')
    expect(compiled.wrapped).toBe(true)
    expect(errorsOf(compiled.objectSchema, { value: 'x' })).toEqual([])
    expect(errorsOf(compiled.objectSchema, { value: 1 })).toEqual(['/value must be string, not number'])
  })

  it.each([
    [{ $ref: 'https://example.com/x.json' }, 'leads out of the schema: remote references are refused'],
    [{ $ref: 'other.json#/x' }, 'leads out of the schema'],
    [{ $ref: 'https://json-schema.org/draft/2020-12/schema' }, 'leads out of the schema'],
    [{ properties: { a: { $ref: '#/$defs/nope' } } }, '/properties/a: the $ref "#/$defs/nope" leads to nothing'],
    [{ $ref: '#nope' }, 'leads to nothing'],
    [{ $ref: '#/$defs/a', $defs: { a: true }, title: 'x' }, 'accepted'],
    [{ $ref: '#/title', title: 'x' }, 'leads to something that is no schema'],
    [{ $ref: '#/%' }, 'has a damaged fragment'],
  ] as [JsonObject, string][])('in %j is told as what it is', (schema, message) => {
    expect(refusal(schema)).toContain(message)
  })

  it.each([
    [{ $ref: '#' }],
    [{ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }],
    [{ anyOf: [{ type: 'string' }, { $ref: '#' }] }],
    [{ properties: { x: { allOf: [{ not: { $ref: '#/properties/x' } }] } } }],
    [{ if: true, else: { $ref: '#' } }],
    [{ dependentSchemas: { a: { $ref: '#' } } }],
    [{ $dynamicRef: '#n', $dynamicAnchor: 'n' }],
    [{ $schema: 'https://json-schema.org/draft/2019-09/schema', $recursiveRef: '#' }],
  ] as [JsonObject][])('without an end in %j is refused before the start', (schema) => {
    expect(refusal(schema)).toContain('refers to itself without end')
  })

  it('to the schema itself through a property or an item is fine', () => {
    const tree = {
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: '#' } } },
      required: ['children'],
    }
    expect(errorsOf(tree, { children: [{ children: [] }, {}] })).toEqual(['/children/1 lacks the property "children"'])
  })

  it('in a chain of thousands does not run out of stack', () => {
    const $defs: JsonObject = { d0: { type: 'string' } }
    for (let i = 1; i <= 5000; i++) $defs[`d${i}`] = { $ref: `#/$defs/d${i - 1}` }
    const compiled = compileSchema({ $ref: '#/$defs/d5000', $defs })
    expect(typeof compiled.ok).toBe('boolean')
  })
})

describe('the root', () => {
  it.each([
    [{ type: 'object', properties: {} }, false],
    [{ type: 'object', oneOf: [{}] }, true],
    [{ oneOf: [{ type: 'object' }, { type: 'object' }] }, true],
    [{ type: 'array' }, true],
    [{ type: 'string' }, true],
    [{ type: ['object', 'null'] }, true],
    [{ enum: ['a'] }, true],
    [{}, true],
    [true, true],
    [false, true],
  ] as [JsonObject | boolean, boolean][])('of %j is wrapped: %j', (schema, wrapped) => {
    const before = structuredClone(schema)
    const compiled = compileSchema(schema)
    if (!compiled.ok) throw new Error('refused')
    expect(compiled.wrapped).toBe(wrapped)
    expect(compiled.objectSchema['type']).toBe('object')
    expect(schema).toEqual(before)
    if (!wrapped) expect(compiled.objectSchema).toEqual(schema)
  })

  it('keeps its references when it is wrapped', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'array',
      items: { $ref: '#/$defs/node' },
      $defs: { node: { type: 'object', properties: { kids: { $ref: '#' }, same: { $ref: '#/items' } } } },
    }
    const compiled = compileSchema(schema)
    expect(compiled.ok && compiled.objectSchema).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { value: { type: 'array', items: { $ref: '#/$defs/node' } } },
      required: ['value'],
      additionalProperties: false,
      $defs: {
        node: {
          type: 'object',
          properties: { kids: { $ref: '#/properties/value' }, same: { $ref: '#/properties/value/items' } },
        },
      },
    })
  })
})

describe('an error', () => {
  it.each([
    [{ type: 'integer' }, 1.5, ['the answer must be integer, not number']],
    [{ enum: ['a', null, 3] }, 'b', ['the answer must be one of "a", null, 3, not "b"']],
    [{ const: 1 }, 2, ['the answer must be 1, not 2']],
    [{ additionalProperties: false }, { a: 1 }, ['the answer has the property "a", which is not allowed']],
    [{ minItems: 2 }, [1], ['the answer must not have fewer than 2 items']],
    [{ format: 'date' }, 'x', ['the answer must be a valid date']],
    [{ pattern: '^a' }, 'b', ['the answer must match the pattern ^a']],
    [{ not: {} }, 1, ['the answer must not match what `not` describes']],
    [false, 1, ['the answer is not allowed here']],
    [{ oneOf: [{}, true] }, 1, ['the answer matches more than one schema in oneOf: numbers 0 or 1']],
    [{ properties: { a: { items: { required: ['b'] } } } }, { a: [{}] }, ['/a/0 lacks the property "b"']],
  ] as [JsonValue, JsonValue, string[]][])(
    'of %j for %j says what was given and what is allowed',
    (schema, value, expected) => {
      expect(errorsOf(schema, value)).toEqual(expected)
    },
  )

  it('comes with at most fifty others', () => {
    const errors = errorsOf(
      { items: { type: 'string' } },
      Array.from({ length: 1000 }, () => 1),
    )
    expect(errors).toHaveLength(51)
    expect(errors.at(-1)).toBe('and 950 more')
  })
})

describe('any schema', () => {
  const keyword = fc.constantFrom(
    'type',
    'properties',
    'items',
    '$ref',
    '$defs',
    'allOf',
    'anyOf',
    'not',
    'enum',
    'const',
    'required',
    '$id',
    '$anchor',
    'format',
    'pattern',
    'if',
    'then',
    'additionalProperties',
    'minimum',
    '$schema',
    'nullable',
    '$dynamicRef',
    'dependentSchemas',
    '__proto__',
    'x',
  )
  const atom = fc.oneof(
    fc.constantFrom(
      'string',
      'object',
      'array',
      '#',
      '#/$defs/a',
      '#/properties/a',
      'R',
      'https://x.example/y',
      '#a',
      '',
      '(',
      'date',
      'a',
    ),
    fc.boolean(),
    fc.integer(),
    fc.constant(null),
  )
  const { schema: anySchema } = fc.letrec<{ schema: JsonValue; value: JsonValue }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4 },
      atom,
      fc.dictionary(fc.oneof(keyword, fc.constant('a')), tie('value'), { maxKeys: 4 }),
    ),
    value: fc.oneof({ maxDepth: 4 }, atom, tie('schema'), fc.array(tie('schema'), { maxLength: 3 })),
  })) as unknown as { schema: fc.Arbitrary<JsonValue> }

  it('and any value may have fields named as what every object inherits', () => {
    const odd = [{ valueOf: 1 }, { valueOf: 1 }] as unknown as JsonValue
    const refused = compileSchema({ type: odd })
    expect(refused.ok ? [] : refused.errors.length).not.toEqual(0)
    const compiled = compileSchema({ type: 'array', uniqueItems: true })
    if (!compiled.ok) expect.unreachable('it is a schema')
    expect(describeErrors(compiled.check(odd), 'the answer')).toHaveLength(1)
    expect(compiled.check([{ a: 1 }, { a: 2 }])).toEqual([])
  })

  it('is compiled or refused in words, judges any value, and stays as it was', () => {
    fc.assert(
      fc.property(anySchema, fc.jsonValue(), (schema, value) => {
        const before = JSON.stringify(schema)
        const compiled = compileSchema(schema)
        if (compiled.ok) {
          // Any JSON is a JsonValue; fast-check says `unknown`.
          const errors = describeErrors(compiled.check(value as JsonValue), 'the answer')
          expect(errors.every((error) => error.length > 0)).toBe(true)
        } else {
          expect(compiled.errors.length).toBeGreaterThan(0)
        }
        expect(JSON.stringify(schema)).toBe(before)
      }),
      { numRuns: 400 },
    )
  })

  it('takes the same values wrapped as it takes plain', () => {
    const type = fc.constantFrom('string', 'number', 'array', 'object', 'boolean', 'null')
    const inner = fc.oneof(
      fc.record({ type }),
      fc.constant({ $ref: '#/$defs/d' }),
      fc.record({ type: fc.constant('array'), items: fc.constant({ $ref: '#' }) }),
      fc.record({
        type: fc.constant('object'),
        properties: fc.record({ a: fc.constant({ $ref: '#' }) }),
        required: fc.constant(['a']),
      }),
    )
    const schema = fc.record({
      anyOf: fc.array(inner, { minLength: 1, maxLength: 3 }),
      $defs: fc.record({ d: fc.record({ type }) }),
    })
    fc.assert(
      fc.property(schema, fc.jsonValue({ maxDepth: 3 }), (plain, value) => {
        const compiled = compileSchema(plain as JsonValue)
        if (!compiled.ok) throw new Error(compiled.errors.join())
        const wrapped = compileSchema(compiled.objectSchema)
        if (!wrapped.ok) throw new Error(wrapped.errors.join())
        expect(wrapped.check({ value: value as JsonValue }).length === 0).toBe(
          compiled.check(value as JsonValue).length === 0,
        )
      }),
      { numRuns: 60 },
    )
  })
})
