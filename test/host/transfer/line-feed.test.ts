import { describe, expect, it } from 'vitest'
import { countValues, LineFeed, type FeedLimits } from '../../../src/host/transfer/line-feed.ts'

function feed(pieces: readonly string[], limits: Partial<FeedLimits> = {}): [string, number][] {
  const lines: [string, number][] = []
  const taken = new LineFeed({ line: 100, total: 1000, values: 100, ...limits }, (line, n) => lines.push([line, n]))
  for (const piece of pieces) taken.push(piece)
  taken.end()
  return lines
}

describe('lines from pieces', () => {
  it('are the same wherever the text was cut, with their numbers', () => {
    const text = 'one\ntwo \r\n\nfour'
    const whole: [string, number][] = [
      ['one', 1],
      ['two ', 2],
      ['four', 4],
    ]
    expect(feed([text])).toEqual(whole)
    expect(feed(text.split(''))).toEqual(whole)
  })

  it('are refused when one of them, all of them or their values are too many', () => {
    expect(() => feed(['a\n', 'b'.repeat(60), 'b'.repeat(60)])).toThrow(/line 2 has more than 100 characters/)
    expect(() => feed(Array.from({ length: 20 }, () => `${'c'.repeat(60)}\n`))).toThrow(/the file has more than 1,000/)
    expect(() => feed(['[1,2]\n', '[[],[]]\n'], { values: 5 })).toThrow(/the file holds more than 5 values/)
  })
})

describe('the values of a JSON text', () => {
  it.each([
    ['1', 1],
    ['[1,2,3]', 4],
    ['{"a":[],"b":{}}', 5],
    ['"[,,,{"', 1],
    ['["a\\"[,[", "b\\\\", 3]', 4],
    ['"never ended [,', 1],
  ])('%s are about %i', (json, count) => {
    expect(countValues(json)).toBe(count)
  })
})
