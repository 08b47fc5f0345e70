import fc from 'fast-check'
import { expect, test } from 'vitest'
import { INDEXED_UNITS, jsonToWords, spaceOut, splitQuery, toMatchExpression } from '../../../src/store/search/text.ts'

test('the words of a JSON text are those of the value, whatever had to be escaped', () => {
  expect(jsonToWords(JSON.stringify('a\nb\t"c" \\d é \u0001'))).toBe('a b "c" \\d é \u0001')
  expect(jsonToWords(JSON.stringify({ path: 'src\\x', n: 5 }))).toBe('{"path":"src\\x","n":5}')
})

test('a text cut in the middle of an escape is taken as far as it goes', () => {
  expect(jsonToWords('"abc\\u00')).toBe('abc\\u00')
  expect(jsonToWords(`"${'x'.repeat(INDEXED_UNITS * 2)}"`)).toHaveLength(INDEXED_UNITS)
})

test('scripts without spaces are cut into characters, others are not', () => {
  expect(spaceOut('检查 file 中').split(/\s+/).filter(Boolean)).toEqual(['检', '查', 'file', '中'])
})

test.each([
  ['one word', 'her', '"her"', '"her" *'],
  ['several words', 'blue heron', '"blue" AND "heron"', '"blue" * AND "heron" *'],
  ['a phrase is never open', '"blue heron" nest', '"blue heron" AND "nest"', '"blue heron" AND "nest" *'],
  ['a phrase without its end', '"blue her', '"blue her"', '"blue her"'],
  [
    'operators are words, short ones not open',
    'a OR NOT (c)',
    '"a" AND "OR" AND "NOT" AND "(c)"',
    '"a" AND "OR" AND "NOT" * AND "(c)" *',
  ],
  ['characters of an unspaced script', '检查', '"检  查"', '"检  查"'],
])('%s', (_what, query, exact, open) => {
  expect([toMatchExpression(query, () => false), toMatchExpression(query, () => true)]).toEqual([exact, open])
})

test('nothing to look for is no expression', () => {
  expect(['', '  ', '""', '*', '"-" +'].map((query) => toMatchExpression(query, () => true))).toEqual(
    Array.from({ length: 5 }, () => undefined),
  )
})

test('no word of a query holds a quotation mark or a NUL, so no query can leave its quotes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (query) => {
      expect(splitQuery(`"a${query}`).some(({ words }) => /["\0]/.test(words))).toBe(false)
    }),
  )
})

test('a word may be left whole while others stand for longer ones', () => {
  expect(toMatchExpression('common rare', (word) => word !== '"common"')).toBe('"common" AND "rare" *')
})
