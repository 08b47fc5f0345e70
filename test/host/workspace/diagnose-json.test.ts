import { describe, expect, test } from 'vitest'
import { diagnoseJson } from '../../../src/host/workspace/diagnose-json.ts'

const FIXTURES = 'review.fixtures.json'
const SCHEMA = 'review.args.schema.json'

describe('fixtures', () => {
  test('have each mistake marked at its own place', () => {
    const text =
      '{\n  "calls": [\n    { "match": { "lable": "a" }, "answer": 1, "skip": true }\n  ],\n  "seed": -1\n}\n'
    const found = diagnoseJson(text, FIXTURES) ?? []
    expect(found.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual([
      '5:3 must be >= 0',
      '3:18 has an unknown field "lable": did you mean "label"?',
    ])
  })

  test('that are right have none', () => {
    expect(diagnoseJson('{"calls":[{"match":{"label":"a"},"answer":1}]}', FIXTURES)).toEqual([])
  })

  test('that are no JSON are marked where they stop being it', () => {
    expect(diagnoseJson('{\n  "calls": [,]\n}', FIXTURES)).toMatchObject([
      { severity: 'error', code: 'json/syntax', line: 2, column: 13 },
    ])
  })
})

describe('an args schema', () => {
  test('is checked as a JSON Schema', () => {
    const text = '{\n  "type": "object",\n  "properties": { "depth": { "type": "strin" } }\n}'
    expect(diagnoseJson(text, SCHEMA)).toMatchObject([
      {
        code: 'args-schema/invalid',
        line: 3,
        message: 'type must be one of array, boolean, integer, null, number, object, string',
      },
    ])
    expect(diagnoseJson('[]', SCHEMA)).toMatchObject([{ line: 1, column: 1 }])
    expect(diagnoseJson('{"type":"object"}', SCHEMA)).toEqual([])
  })

  test('of an unknown dialect is marked at $schema', () => {
    expect(diagnoseJson('{"$schema":"http://nowhere.test/x"}', SCHEMA)).toMatchObject([{ line: 1, column: 2 }])
  })
})

test('other JSON is only read as such, and scripts are no business of this check', () => {
  expect(diagnoseJson('{"calls": 1}', 'package.json')).toEqual([])
  expect(diagnoseJson('return 1', 'a.js')).toBeUndefined()
})
