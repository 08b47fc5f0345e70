import { describe, expect, it } from 'vitest'
import { renderDiagnostics } from '../../../src/cli/render/diagnostics.ts'
import { plainStyle } from './sample-runs.ts'

const range = { line: 1, column: 16, endLine: 1, endColumn: 20 }

describe('renderDiagnostics', () => {
  it('gives place, severity, message, code, the line with carets, and the hint', () => {
    const text = 'const p = `run `last -F` now`'
    const hint = 'the string opened at 1:11'
    expect(
      renderDiagnostics(
        'w/a.js',
        text,
        [
          {
            ...range,
            column: 17,
            endColumn: 21,
            severity: 'error',
            code: 'parse/syntax',
            message: 'Unexpected token',
            hint,
          },
        ],
        plainStyle,
      ),
    ).toEqual([
      'w/a.js:1:17: error: Unexpected token [parse/syntax]',
      '  1 | const p = `run `last -F` now`',
      '    |                 ^^^^',
      '  hint: the string opened at 1:11',
    ])
  })

  it('does without the source, and shows controls in a message as escapes', () => {
    expect(
      renderDiagnostics('a.js', undefined, [{ ...range, severity: 'warning', code: 'c', message: 'a\nb' }], plainStyle),
    ).toEqual(['a.js:1:16: warning: a\\nb [c]'])
  })
})
