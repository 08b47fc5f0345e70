import { describe, expect, it } from 'vitest'
import { fieldsOf } from '../../../../src/renderer/features/run-dialog/args-fields.ts'
import { entriesOf, readForm, type ArgsEntries } from '../../../../src/renderer/features/run-dialog/args-form.ts'
import type { JsonValue } from '../../../../src/shared/index.ts'

const SCHEMA: JsonValue = {
  type: 'object',
  required: ['question', 'depth'],
  properties: {
    question: { type: 'string', minLength: 3, description: 'What is asked.' },
    depth: { type: 'integer', minimum: 1, maximum: 5, default: 2 },
    fast: { type: 'boolean' },
    tone: { enum: ['dry', 'warm', 3] },
    sources: { type: 'array', items: { type: 'string', pattern: '^https:' }, uniqueItems: true },
    days: { type: 'array', items: { enum: ['mon', 'tue'] }, minItems: 1 },
    limits: {
      type: 'object',
      required: ['tokens'],
      properties: { tokens: { type: 'number', exclusiveMinimum: 0 }, note: { type: 'string' } },
    },
    anything: {},
  },
}
const fields = fieldsOf(SCHEMA) ?? []
const key = (...path: string[]): string => path.join('\u0000')

describe('fields', () => {
  it('are made of each property by its type', () => {
    expect(fields.map(({ name, kind, required }) => [name, kind, required])).toEqual([
      ['question', 'text', true],
      ['depth', 'number', true],
      ['fast', 'boolean', false],
      ['tone', 'choice', false],
      ['sources', 'list', false],
      ['days', 'choices', false],
      ['limits', 'group', false],
      ['anything', 'json', false],
    ])
  })

  it('are none where the schema is not about an object', () => {
    expect([fieldsOf(null), fieldsOf({ type: 'array' }), fieldsOf({ type: 'object' })]).toEqual([null, null, null])
  })
})

describe('entries', () => {
  const ARGS: JsonValue = {
    question: 'Why?',
    depth: 3,
    fast: false,
    tone: 3,
    sources: ['https://a', 'https://b'],
    days: ['tue'],
    limits: { tokens: 0.5 },
    anything: [1, { a: null }],
  }

  it('show args and mean the same again', () => {
    const entries = entriesOf(fields, ARGS)
    expect(readForm(fields, entries ?? {})).toEqual({ args: ARGS, errors: {} })
  })

  it('of a new form hold the defaults', () => {
    expect(entriesOf(fields, undefined)).toEqual({ [key('depth')]: '2' })
  })

  it('are none for what the form has no place for', () => {
    expect([entriesOf(fields, [1]), entriesOf(fields, { more: 1 }), entriesOf(fields, { depth: 'x' })]).toEqual([
      null,
      null,
      null,
    ])
  })

  it.each<[string, ArgsEntries, Record<string, string>]>([
    ['what is needed', {}, { question: 'Needed.', depth: 'Needed.' }],
    ['a short text', { question: 'a', depth: '2' }, { question: 'At least 3 characters.' }],
    ['no number', { question: 'abc', depth: 'x' }, { depth: 'Not a number: x' }],
    ['no whole number', { question: 'abc', depth: '1.5' }, { depth: 'A whole number.' }],
    ['a number beyond its limits', { question: 'abc', depth: '6' }, { depth: 'At most 5.' }],
    ['the same twice', { question: 'abc', depth: '1', sources: 'https:\nhttps:' }, { sources: 'Each only once.' }],
    ['a wrong item', { question: 'abc', depth: '1', sources: 'x' }, { sources: '"x": Has to match ^https:.' }],
    ['no JSON', { question: 'abc', depth: '1', anything: '{' }, { anything: expect.stringMatching(/^Not JSON/) }],
  ])('tell %s by its field', (_what, entries, errors) => {
    expect(readForm(fields, entries).errors).toEqual(errors)
  })

  it('of a group count only once it is used', () => {
    const base = { question: 'abc', depth: '1' }
    expect(readForm(fields, base)).toEqual({ args: { question: 'abc', depth: 1 }, errors: {} })
    expect(readForm(fields, { ...base, [key('limits', 'note')]: 'x' }).errors).toEqual({
      [key('limits', 'tokens')]: 'Needed.',
    })
    expect(readForm(fields, { ...base, [key('limits', 'tokens')]: '0' }).errors).toEqual({
      [key('limits', 'tokens')]: 'More than 0.',
    })
  })
})
