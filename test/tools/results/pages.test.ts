import { describe, expect, test } from 'vitest'
import { cutJson } from '../../../src/tools/results/envelope-text.ts'
import { pageOf, resolvePointer } from '../../../src/tools/results/pages.ts'

describe('a text in pages', () => {
  test('is cut at characters, and its pages make it up', () => {
    const text = '"a😀b😀😀"'
    for (const limit of [1, 2, 3, 5, 100]) {
      let read = ''
      for (let offset: number | null = 0; offset !== null;) {
        const page = pageOf(text, offset, limit)
        expect(page.text).not.toMatch(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/)
        read += page.text
        offset = page.nextOffset
      }
      expect(read).toBe(text)
    }
    expect(pageOf(text, 3, 2)).toMatchObject({ offset: 4, text: 'b' })
    expect(pageOf(text, 1000, 10)).toEqual({ text: '', offset: text.length, total: text.length, nextOffset: null })
  })

  test('that is cut says on a line of its own what is missing', () => {
    expect(cutJson('"abc"', 5)).toEqual({ text: '"abc"', omitted: 0 })
    expect(cutJson('"😀😀"', 4)).toEqual({ text: '"😀\n… [truncated: 3 more characters]', omitted: 3 })
  })
})

describe('a pointer', () => {
  const value = { 'a/b': [{ '~': null }], n: 0 }

  test('leads to a part', () => {
    expect(resolvePointer(value, '')).toEqual({ value })
    expect(resolvePointer(value, '/a~1b/0/~0')).toEqual({ value: null })
  })

  test('to nothing says what is there', () => {
    expect(resolvePointer(value, 'n')).toEqual({ problem: 'pointer has to be empty or begin with "/", not "n"' })
    expect(resolvePointer(value, '/x')).toEqual({ problem: 'there is nothing at /x: an object with a/b, n' })
    expect(resolvePointer(value, '/a~1b/01')).toEqual({ problem: 'there is nothing at /a~1b/01: an array of 1' })
    expect(resolvePointer(value, '/__proto__')).toMatchObject({ problem: expect.any(String) })
  })
})
