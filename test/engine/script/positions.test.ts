import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyEdits } from '../../../src/engine/script/edits.ts'
import { toWritten } from '../../../src/engine/script/positions.ts'
import { SourceText } from '../../../src/engine/script/source-text.ts'
import { prepare, withMeta } from './support/compartment.ts'

/** Where V8 would say that an offset of the generated code is. */
function v8Position(code: string, offset: number): { line: number; column: number } {
  let line = 1
  let start = 0
  for (const match of code.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) {
    if (match.index + match[0].length > offset) break
    line++
    start = match.index + match[0].length
  }
  return { line, column: offset - start + 1 }
}

describe('a position in the generated code', () => {
  it('is that of the same character in the file as written', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\u2028', '\r', '😀'), maxLength: 12 })
    const text = fc.array(line, { maxLength: 6 }).map((lines) => lines.join('\n'))
    const edit = fc.record({
      at: fc.nat(60),
      length: fc.nat(4),
      text: fc.string({ unit: fc.constantFrom('x', 'y'), maxLength: 6 }),
    })
    fc.assert(
      fc.property(text, fc.array(edit, { maxLength: 5 }), (written, wanted) => {
        const source = new SourceText(written, 'a.js')
        let free = 0
        const edits = wanted
          .map(({ at, length, text: replacement }) => ({ start: at, end: at + length, text: replacement }))
          .sort((a, b) => a.start - b.start)
          .filter(({ start, end }) => {
            // Like the rewriter's: no line end is ever replaced, nothing overlaps.
            const around = written.slice(Math.max(0, start - 1), end + 1)
            const ok = start >= free && end <= written.length && !/[\n\r\u2028]/.test(around)
            if (ok) free = end + 1
            return ok
          })
        const { code, positions } = applyEdits(source, edits, 'PREFIX', '\nSUFFIX')
        let generated = 'PREFIX'.length
        let offset = 0
        for (const { start, end, text: replacement } of [
          ...edits,
          { start: written.length, end: written.length, text: '' },
        ]) {
          for (; offset < start; offset++, generated++) {
            // A `\r` before a `\n` is half of a line end: nothing stands there.
            if (/[\n\r\u2028]/.test(written[offset] ?? '')) continue
            expect(code[generated]).toBe(written[offset])
            expect(toWritten(positions, v8Position(code, generated))).toEqual(source.position(offset))
          }
          offset = end
          generated += replacement.length
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('inside of what was put in is where the next written text begins', () => {
    const { code, positions } = prepare(
      "export const meta = { name: 'a', description: 'd' }\nreturn [foo, 'import(x)', b]; const b = 1",
    )
    const offset = code.indexOf('"foo"')
    expect(toWritten(positions, v8Position(code, offset))).toEqual({ line: 2, column: 12 })
    expect(toWritten(positions, { line: 1, column: 1 })).toEqual({ line: 1, column: 1 })
    expect(toWritten(positions, v8Position(code, code.indexOf('b]')))).toEqual({ line: 2, column: 27 })
  })

  it('counts lines as an editor does, whatever separators the text holds', () => {
    const text = withMeta('const a = `\u2028x`; // \u2028\nconst b = 1 \u2029\nconst here = 2')
    const { code, positions } = prepare(text)
    expect(toWritten(positions, v8Position(code, code.indexOf('here')))).toEqual({ line: 4, column: 7 })
  })

  it('of a file with CRLF and a byte order mark is that of its lines', () => {
    const text = `\uFEFF${withMeta("const a = 'import(x)'\nconst here = 2").replaceAll('\n', '\r\n')}`
    const { code, positions } = prepare(text)
    expect(toWritten(positions, v8Position(code, code.indexOf('here')))).toEqual({ line: 3, column: 7 })
    expect(toWritten(positions, v8Position(code, code.indexOf('const meta')))).toEqual({ line: 1, column: 8 })
  })
})
