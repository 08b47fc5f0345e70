import { describe, expect, test } from 'vitest'
import { LineSplitter } from '../../../src/host/wire/line-splitter.ts'

function split(chunks: Buffer[], maxBytes = 100) {
  const seen: string[] = []
  const splitter = new LineSplitter({
    maxBytes,
    onLine: (text) => seen.push(text),
    onTooLong: () => seen.push('<too long>'),
    onFlood: () => seen.push('<flood>'),
  })
  for (const chunk of chunks) splitter.push(chunk)
  return seen
}

const bytes = (text: string): Buffer => Buffer.from(text)

describe('frames by line', () => {
  test('several in one chunk come in order', () => {
    const lines = Array.from({ length: 10_000 }, (_, i) => String(i))
    expect(split([bytes(`${lines.join('\n')}\n`)])).toEqual(lines)
  })

  test('a character split over two chunks arrives whole', () => {
    const line = bytes('"🦊"\n')
    expect(split([line.subarray(0, 3), line.subarray(3)])).toEqual(['"🦊"'])
  })

  test('CRLF ends a line, and empty lines are nothing', () => {
    expect(split([bytes('a\r\n\r\n\nb\n')])).toEqual(['a', 'b'])
  })

  test('a line without its end is not told yet', () => {
    expect(split([bytes('a\nb')])).toEqual(['a'])
  })

  test('a line just under the limit and the one after it in the same chunk both arrive', () => {
    expect(split([bytes(`${'x'.repeat(100)}\nb\n`)])).toEqual(['x'.repeat(100), 'b'])
  })

  test('a line above the limit is told once and skipped, the next one arrives', () => {
    expect(split([bytes('x'.repeat(90)), bytes('x'.repeat(90)), bytes('x\nb\n')])).toEqual(['<too long>', 'b'])
  })

  test('a line that never ends is given up, and nothing after it is taken', () => {
    const flood = Array.from({ length: 50 }, () => bytes('x'.repeat(90)))
    expect(split([...flood, bytes('\nb\n')])).toEqual(['<too long>', '<flood>'])
  })
})
