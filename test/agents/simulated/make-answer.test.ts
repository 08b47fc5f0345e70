import { describe, expect, it } from 'vitest'
import { CANDIDATES } from '../../../src/agents/simulated/generate/answer-messages.ts'
import { makeAnswer } from '../../../src/agents/simulated/generate/make-answer.ts'
import type { StructuredRequest } from '../../../src/engine/index.ts'
import type { JsonObject, JsonValue } from '../../../src/shared/index.ts'
import { makeStructured } from '../requests.ts'

const SEEDS = 25

const draft7 = 'http://json-schema.org/draft-07/schema#'
const draft2019 = 'https://json-schema.org/draft/2019-09/schema'
const object = (properties: JsonObject, rest: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...rest,
})
const text = (rest: JsonObject): JsonObject => ({ type: 'string', ...rest })

const FORMATS = [
  'date-time', 'date', 'time', 'duration', 'email', 'idn-email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uri-reference',
  'uri-template', 'url', 'uuid', 'json-pointer', 'relative-json-pointer', 'json-pointer-uri-fragment', 'regex', 'byte',
  'iso-date-time', 'iso-time', 'password', 'binary', 'unheard-of',
] // prettier-ignore

const SCHEMAS: Record<string, JsonObject | boolean> = {
  anything: true,
  'an empty schema': {},
  'a list root': { type: 'array', items: { type: 'integer' } },
  'a text root': { type: 'string', minLength: 300 },
  'a null root': { type: 'null' },
  formats: object(Object.fromEntries(FORMATS.map((format) => [format, text({ format })]))),
  'numbers with bounds': object({
    a: { type: 'number', minimum: 0, maximum: 1 },
    b: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.001 },
    c: { type: 'integer', minimum: 1e15 },
    d: { type: 'integer', maximum: -5 },
    e: { type: 'integer', exclusiveMinimum: 3, exclusiveMaximum: 5 },
    f: { type: 'integer', multipleOf: 7, minimum: 50 },
    g: { type: 'number', multipleOf: 0.25 },
  }),
  'texts with bounds': object({
    a: text({ minLength: 1, maxLength: 1 }),
    b: text({ minLength: 100, maxLength: 120 }),
    c: text({ maxLength: 0 }),
  }),
  patterns: object({
    a: text({ pattern: '^[A-Z]{2}-\\d{3}$' }),
    b: text({ pattern: '^[a-z]+$', minLength: 20, maxLength: 25 }),
    c: text({ pattern: '^(?=.*\\d)[a-z\\d]{8}$' }),
    d: text({ pattern: '^\\p{Lu}\\p{L}+$' }),
    e: text({ pattern: 'needle' }),
    f: text({ pattern: '^(?!bad).*$' }),
    g: text({ pattern: '^[\\p{L}_]+\\.(ts|js)$', maxLength: 12 }),
  }),
  'names by pattern': {
    type: 'object',
    patternProperties: { '^x-': { type: 'integer' } },
    additionalProperties: false,
    minProperties: 2,
  },
  'property names': {
    type: 'object',
    propertyNames: { pattern: '^[a-z]{3}$' },
    additionalProperties: { type: 'boolean' },
    minProperties: 3,
  },
  'property names listed': { type: 'object', propertyNames: { enum: ['a', 'b'] }, minProperties: 2 },
  'closed object': object({ a: text({}) }, { additionalProperties: false }),
  'required without a schema': { type: 'object', required: ['a'] },
  references: object(
    { a: { $ref: '#/$defs/point' }, b: { type: 'array', items: { $ref: '#/$defs/point' }, minItems: 2 } },
    { $defs: { point: object({ x: { type: 'integer' }, y: { type: 'integer' } }) } },
  ),
  'a tree': {
    $ref: '#/$defs/node',
    $defs: { node: object({ value: {}, children: { type: 'array', items: { $ref: '#/$defs/node' } } }) },
  },
  'a linked list': {
    $ref: '#/$defs/a',
    $defs: { a: object({ next: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/a' }] } }) },
  },
  anchors: object({ a: { $ref: '#thing' } }, { $defs: { x: { $anchor: 'thing', type: 'integer' } } }),
  'a tuple of draft-07': {
    $schema: draft7,
    type: 'array',
    items: [text({}), { type: 'integer' }],
    additionalItems: false,
    minItems: 2,
  },
  'definitions of draft-07': {
    $schema: draft7,
    definitions: { p: text({ pattern: '^\\d$' }) },
    ...object({ p: { $ref: '#/definitions/p' } }),
  },
  'a recursive reference of 2019-09': {
    $schema: draft2019,
    $recursiveAnchor: true,
    ...object({ kids: { type: 'array', items: { $recursiveRef: '#' } } }),
  },
  'a tuple': { type: 'array', prefixItems: [text({}), { type: 'integer' }], items: false, minItems: 2 },
  choices: {
    oneOf: [object({ kind: { const: 'a' }, x: { type: 'integer' } }), object({ kind: { const: 'b' }, y: text({}) })],
  },
  'choices that overlap': {
    oneOf: [
      { type: 'integer', multipleOf: 3 },
      { type: 'integer', multipleOf: 5 },
    ],
  },
  'several at once': { allOf: [object({ a: text({}) }), object({ b: { type: 'integer', minimum: 500 } })] },
  'bounds in parts': object({ a: { allOf: [{ type: 'integer' }, { minimum: 5000 }, { maximum: 5001 }] } }),
  conditions: {
    ...object({ kind: { enum: ['x', 'y'] }, value: {} }),
    if: { properties: { kind: { const: 'x' } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { properties: { value: { type: 'integer' } } },
    else: { properties: { value: text({}) } },
  },
  exclusions: { type: 'string', not: { enum: ['a', 'b'] }, minLength: 1, maxLength: 1 },
  'values of one type only': { type: 'string', enum: ['a', 1, 'b', null] },
  nullable: object({ a: { type: ['string', 'null'] }, b: { anyOf: [{ type: 'integer' }, { type: 'null' }] } }),
  'unique items': { type: 'array', items: { enum: ['a', 'b', 'c'] }, uniqueItems: true, minItems: 3 },
  'items that have to be there': { type: 'array', contains: { const: 7 }, items: { type: 'integer' }, minContains: 2 },
  'dependent fields': object({ a: { type: 'integer' } }, { dependentRequired: { a: ['b'] } }),
  'nothing unevaluated': object({ a: { type: 'integer' } }, { unevaluatedProperties: false }),
  'unknown keywords': object({
    a: text({ 'x-note': 1, faker: 'name.first', template: '#{b}' }),
    b: { type: 'integer', min: 3 },
  }),
  'a field named like a keyword': object({
    properties: text({}),
    items: { type: 'array', items: text({}) },
    $ref: text({}),
  }),
}

async function firstAccepted(judge: StructuredRequest, seed: number): Promise<JsonValue | undefined> {
  const { schema } = judge
  for (let candidate = 0; candidate < CANDIDATES; candidate++) {
    try {
      const answer = makeAnswer(schema, seed, candidate)
      if ((await judge.validate(answer, 'plain')).ok) return answer
    } catch {
      // The next one may succeed, as it does in the back end.
    }
  }
  return undefined
}

describe('an answer that the schema accepts is found for every seed', () => {
  it.each(Object.entries(SCHEMAS))('of %s', async (_name, schema) => {
    const before = JSON.stringify(schema)
    const judge = makeStructured(schema)
    for (let seed = 0; seed < SEEDS; seed++) {
      const answer = await firstAccepted(judge, seed)
      expect(answer, `seed ${seed}`).toBeDefined()
      expect(await firstAccepted(judge, seed)).toEqual(answer)
    }
    expect(JSON.stringify(schema)).toBe(before)
  })
})

describe('an answer', () => {
  it('shows lists with something in them, small positive numbers and speaking texts', () => {
    const schema = object({ files: { type: 'array', items: text({}) }, line: { type: 'integer' }, reason: text({}) })
    for (let seed = 0; seed < SEEDS; seed++) {
      expect(makeAnswer(schema, seed, 0)).toEqual({
        files: expect.arrayContaining([expect.stringMatching(/^src\/\w+\/\w+-\d+\.ts$/)]),
        line: expect.toSatisfy((line: number) => line >= 1 && line <= 101),
        reason: expect.stringContaining('reason'),
      })
    }
  })

  it('differs from seed to seed', () => {
    const answers = Array.from({ length: SEEDS }, (_, seed) =>
      JSON.stringify(makeAnswer(object({ a: text({}) }), seed, 0)),
    )
    expect(new Set(answers).size).toBeGreaterThan(SEEDS / 2)
  })

  it('takes a value from the examples of the schema', () => {
    expect(makeAnswer(object({ a: text({ examples: ['given'] }) }), 1, 0)).toEqual({ a: 'given' })
  })
})
