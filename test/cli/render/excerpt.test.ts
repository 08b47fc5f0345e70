import { describe, expect, it } from 'vitest'
import { renderExcerpt } from '../../../src/cli/render/excerpt.ts'

const at = (line: number, column: number, endColumn = column + 1) => ({ line, column, endLine: line, endColumn })

describe('renderExcerpt', () => {
  it('puts carets under the place that is meant', () => {
    expect(renderExcerpt('first\nconst x = foo()\n', at(2, 11, 14))).toEqual([
      '2 | const x = foo()',
      '  |           ^^^',
    ])
  })

  it('counts wide characters as two columns', () => {
    expect(renderExcerpt("'漢字' x", at(1, 6))).toEqual(["1 | '漢字' x", '  |        ^'])
  })

  it('keeps the caret in place behind tabs and escapes', () => {
    expect(renderExcerpt('\t\u001bx', at(1, 3))).toEqual(['1 |  \\u001bx', '  |        ^'])
  })

  it('shows a window of a long line', () => {
    const [line, carets] = renderExcerpt(`${'a'.repeat(500)}X${'b'.repeat(500)}`, at(1, 501))
    expect(line).toMatch(/^1 \| …a{30}Xb+…$/)
    expect(line?.indexOf('X')).toBe(carets?.indexOf('^'))
  })

  it('marks to the end of the line where the range goes on', () => {
    expect(renderExcerpt('ab(\n)', { line: 1, column: 3, endLine: 2, endColumn: 2 })).toEqual(['1 | ab(', '  |   ^'])
  })

  it('marks one column at the end of the text, and has nothing for a line that is not there', () => {
    expect(renderExcerpt('{', at(1, 2))).toEqual(['1 | {', '  |  ^'])
    expect(renderExcerpt('{', at(3, 1))).toEqual([])
  })
})
