import { describe, expect, it } from 'vitest'
import { JsonSource } from '../../../../src/renderer/state/json/json-source.ts'

const shown = (source: JsonSource): string[] =>
  source.rows(0, 1000).map(({ level, name, text }) => `${level} ${name ?? ''}: ${text}`)

describe('JSON as a tree', () => {
  it('opens level by level, so that the outline of a large value comes before its details', () => {
    expect(shown(new JsonSource('{"a":{"b":[1,null]},"c":"x"}'))).toEqual([
      '1 : {',
      '2 a: {',
      '3 b: [',
      '4 0: 1',
      '4 1: null',
      '2 c: "x"',
    ])
    const large = new JsonSource(JSON.stringify({ first: Array.from({ length: 500 }, (_, n) => n), second: {} }))
    expect(shown(large)).toEqual(['1 : {', '2 first: [ 500 items ]', '2 second: {}'])
  })

  it('opens and closes a row with all that is in it', () => {
    const source = new JsonSource('{"a":{"b":[1]},"c":2}')
    source.setOpen(1, false)
    expect(shown(source)).toEqual(['1 : {', '2 a: { 1 property }', '2 c: 2'])
    source.setOpen(1, true)
    expect(shown(source)).toEqual(['1 : {', '2 a: {', '3 b: [ 1 item ]', '2 c: 2'])
    expect(source.parentOf(2)).toBe(1)
    expect(source.parentOf(0)).toBe(-1)
  })

  it('finds names and values in any case, and opens the way to them', () => {
    const source = new JsonSource(JSON.stringify({ list: Array.from({ length: 500 }, (_, n) => ({ Needle: n })) }))
    expect(source.find('needle', 'tree')).toBe(500)
    const index = source.reveal(321)
    expect(source.rows(index, 1)[0]).toMatchObject({ id: '/list/321/Needle', text: '321' })
    expect(source.find('nothing of the kind', 'tree')).toBe(0)
  })

  it('cuts what no line has place for', () => {
    const [row] = new JsonSource(JSON.stringify('x'.repeat(2000))).rows(0, 1)
    expect(row?.text).toMatch(/^"x+ … \(1,402 more characters\)$/)
  })

  it('takes a hundred thousand items without a deep stack', () => {
    const source = new JsonSource(JSON.stringify(Array.from({ length: 100_000 }, (_, n) => n)))
    source.setOpen(0, true)
    expect(source.count('tree')).toBe(100_001)
    expect(source.rows(99_999, 2).map(({ text }) => text)).toEqual(['99998', '99999'])
  })
})

describe('JSON as text', () => {
  it('is indented, by lines, and searched by lines', () => {
    const source = new JsonSource('{"a":[1,"two"]}')
    expect(source.count('text')).toBe(6)
    expect(source.lines(1, 3)).toEqual(['  "a": [', '    1,', '    "two"'])
    expect(source.lines(5, 9)).toEqual(['}'])
    expect(source.find('TWO', 'text')).toBe(1)
    expect(source.reveal(0)).toBe(3)
  })

  it('is refused when it is none', () => {
    expect(() => new JsonSource('{')).toThrow(SyntaxError)
  })
})
