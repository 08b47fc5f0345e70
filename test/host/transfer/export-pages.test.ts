import { describe, expect, it } from 'vitest'
import { ExportPages } from '../../../src/host/transfer/export-pages.ts'
import type { ExportPage } from '../../../src/shared/index.ts'

function readAll(pages: ExportPages, first: ExportPage): string[] {
  const texts = [first.text]
  for (let { cursor } = first; cursor !== null;) {
    const page = pages.next(cursor)
    texts.push(page.text)
    cursor = page.cursor
  }
  return texts
}

describe('the pages of a file', () => {
  it('put it together again, never with half a character, whatever its parts are', () => {
    const pages = new ExportPages()
    const parts = ['short\n', 'x'.repeat(299_993), '😀'.repeat(400_000), '', 'end']
    const texts = readAll(pages, pages.begin('file', parts.values()))
    expect(texts.join('')).toBe(parts.join(''))
    expect(texts.length).toBeGreaterThan(3)
    for (const text of texts) expect(text).not.toMatch(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/)
  })

  it('are one for a file of nothing', () => {
    const pages = new ExportPages()
    expect(pages.begin('file', [].values())).toEqual({ fileName: 'file', text: '', cursor: null })
  })

  it('forget the file that nobody has asked about for the longest', () => {
    const pages = new ExportPages()
    const begin = (): string => pages.begin('file', ['x'.repeat(400_000)].values()).cursor ?? ''
    const first = begin()
    const others = Array.from({ length: 32 }, begin)
    expect(() => pages.next(first)).toThrow('not going on any more')
    expect(pages.next(others[0] ?? '').text).toHaveLength(100_000)
  })
})
