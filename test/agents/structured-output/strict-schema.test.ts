import { describe, expect, it } from 'vitest'
import { readJsonAnswer } from '../../../src/agents/structured-output/read-json-answer.ts'
import { dropStrictNulls, toStrictSchema } from '../../../src/agents/structured-output/strict-schema.ts'

describe('a strict copy of a schema', () => {
  it('requires everything, allows null for what may be absent, and says in words what strict mode does not take', () => {
    const schema = {
      type: 'object',
      properties: {
        a: { type: 'string', minLength: 2, description: 'A name' },
        b: { type: 'array', items: { type: 'object', properties: { c: { type: 'integer' } } } },
      },
      required: ['a'],
    }
    const before = JSON.stringify(schema)
    expect(toStrictSchema(schema)).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string', description: 'A name (minLength: 2)' },
        b: {
          anyOf: [
            {
              type: 'array',
              items: {
                type: 'object',
                properties: { c: { anyOf: [{ type: 'integer' }, { type: 'null' }] } },
                required: ['c'],
                additionalProperties: false,
              },
            },
            { type: 'null' },
          ],
        },
      },
      required: ['a', 'b'],
      additionalProperties: false,
    })
    expect(JSON.stringify(schema)).toBe(before)
  })

  it.each([
    ['an open object', { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true }],
    ['a map', { type: 'object', properties: { a: { type: 'object' } } }],
    ['allOf', { type: 'object', properties: { a: { allOf: [{ type: 'string' }] } } }],
    ['anything', { type: 'object', properties: { value: true } }],
    ['a list of anything', { type: 'object', properties: { a: { type: 'array' } } }],
  ])('does not exist for %s', (_name, schema) => {
    expect(toStrictSchema(schema)).toBeUndefined()
  })

  it('takes back the nulls that it asked for, and no others', () => {
    const schema = {
      type: 'object',
      properties: {
        a: { type: ['string', 'null'] },
        b: { type: 'string' },
        c: { type: 'array', items: { type: 'object', properties: { d: {} } } },
      },
    }
    expect(dropStrictNulls({ a: null, b: null, c: [{ d: null }], e: null }, schema)).toEqual({
      a: null,
      c: [{}],
      e: null,
    })
  })
})

describe('JSON in a text', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['\uFEFF\n[1]\n', [1]],
    ['Here it is:\n```json\n{"a":"``x``"}\n```\nDone.', { a: '``x``' }],
    ['First\n```\nno\n```\nthen\n```json\n{"a":2}\n```', { a: 2 }],
    ['The answer is {"a":[1]}.', { a: [1] }],
    ['12', 12],
    ['no JSON', 'no JSON'],
  ])('%j gives %j', (text, value) => {
    expect(readJsonAnswer(text)).toEqual(value)
  })
})
