import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson, type JsonValue } from '../../../src/shared/index.ts'

describe('canonicalJson', () => {
  it('writes equal JSON the same way whatever the order of its keys', () => {
    expect(canonicalJson({ b: 1, 2: 1, a: 1 })).toBe('{"2":1,"a":1,"b":1}')
    expect(canonicalJson({ a: 1, 2: 1, b: 1 })).toBe('{"2":1,"a":1,"b":1}')
  })

  it('writes -0 as 0 and 1.0 as 1', () => {
    expect(canonicalJson([-0, 1.0])).toBe('[0,1]')
  })

  it('leaves out fields whose value is undefined', () => {
    const value: { [key: string]: JsonValue } = { a: 1 }
    Object.assign(value, { b: undefined })
    expect(canonicalJson(value)).toBe('{"a":1}')
  })

  it('keeps line ends and normalisation forms apart', () => {
    expect(canonicalJson('a\r\n')).not.toBe(canonicalJson('a\n'))
    expect(canonicalJson('\u00e9')).not.toBe(canonicalJson('e\u0301'))
  })

  it('treats an own __proto__ key as data', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":{"x":1}}'))).toBe('{"__proto__":{"x":1}}')
  })

  it('is JSON for the same value, for any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // fast-check's own JsonValue allows readonly arrays; the values are plain JSON.
        const json = value as JsonValue
        expect(JSON.parse(canonicalJson(json))).toEqual(JSON.parse(JSON.stringify(json)))
      }),
    )
  })
})
