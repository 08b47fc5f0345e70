import { describe, expect, it } from 'vitest'
import { applyEdits } from '../../../src/engine/script/edits.ts'
import { findRuntimeSyntaxError } from '../../../src/engine/script/runtime-syntax.ts'
import { SourceText } from '../../../src/engine/script/source-text.ts'
import { findings, META } from './support/findings.ts'

/** Place, message and hint of the first finding of the parser's. */
function explain(body: string, fileName = 'a.js'): { at: string; message: string; hint: string | undefined } {
  const [finding] = findings(META + body, fileName).filter(
    ({ code }) => code.startsWith('parse/') || code.startsWith('refused/'),
  )
  return { at: `${finding?.line}:${finding?.column}`, message: finding?.message ?? 'none', hint: finding?.hint }
}

describe('a backtick in a prompt', () => {
  it('that is not escaped is named, with the template it ends, and no word about TypeScript', () => {
    const [notWorkflow, finding] = findings('const p = `run `last -F` now`')
    expect(notWorkflow?.code).toBe('meta/missing')
    expect(finding).toMatchObject({ code: 'parse/syntax', line: 1, column: 16, endColumn: 17 })
    expect(finding?.message).toBe('this backtick ends the template literal that opened at 1:11, and more text follows')
    expect(finding?.hint).toBe('if the backtick belongs to the text, write it as `\\``')
    expect(JSON.stringify(finding)).not.toContain('TypeScript')
  })

  it('that begins a Markdown fence is named, far below its template as it may be', () => {
    const body = 'const p = `Look:\n\n  some text\n\n```js\nconst x = 1\n```\n`\nawait agent(p)'
    expect(explain(body)).toMatchObject({ at: '6:1', message: expect.stringContaining('that opened at 2:11') })
  })

  it('that begins a fence without a language and still parses is found by a lint', () => {
    const [finding] = findings(`${META}const p = \`Look:\n\`\`\`\ncode\n\`\`\`\n\``)
    expect(finding).toMatchObject({ code: 'lint/unescaped-backtick', severity: 'error', line: 3, column: 2 })
    expect(finding?.message).toContain('opened at 2:11')
  })

  it('that leaves the last template open is named where it stands', () => {
    expect(explain('const p = `use `npm` here\nawait agent(p)')).toMatchObject({ at: '2:16' })
  })

  it('is told in a TypeScript file just the same', () => {
    expect(explain('const p: string = `run `last -F` now`', 'a.ts')).toMatchObject({ at: '2:24' })
  })
})

describe('an unfinished text', () => {
  it.each([
    ['const p = `abc\ndef', '2:11', 'the template literal that opened at 2:11 is never closed'],
    ['const p = "abc\nfoo', '2:11', 'the string that opened at 2:11 is not closed on its line'],
    ["const p = 'don't'", '2:15', "this quote ' ends the string that opened at 2:11, and more text follows"],
    ['x = 1 /* abc', '2:7', 'the comment is never closed'],
    ['x = /abc', '2:5', 'the regular expression is never closed'],
  ])('in %j is shown where it began', (body, at, message) => {
    expect(explain(body)).toMatchObject({ at, message })
  })

  it('of a placeholder says how to write it as text', () => {
    expect(explain('const p = `echo ${HOME:-x}`')).toEqual({
      at: '2:23',
      message: 'Unexpected token `:` in the `${…}` at 2:17 of the template literal that opened at 2:11',
      hint: 'if `${` belongs to the text, write it as `\\${`',
    })
  })
})

describe('a bracket', () => {
  it.each([
    ['foo(bar', '2:4', 'the `(` that opened at 2:4 is never closed'],
    ['if (x) {\n  foo()\n', '2:8', 'the `{` that opened at 2:8 is never closed'],
    ['function f() {\n  if (x) {\n    a()\n}\n', '3:10', 'the `{` that opened at 3:10 is never closed'],
    ['foo(bar]', '2:8', 'this `]` does not close the `(` that opened at 2:4'],
    ['foo()\n}', '3:1', 'this `}` closes nothing'],
  ])('in %j is shown where it opened', (body, at, message) => {
    expect(explain(body)).toMatchObject({ at, message })
  })
})

describe('other mistakes', () => {
  it.each([
    ['let x: number = 1', '2:6', 'this is TypeScript, but the file is read as JavaScript'],
    ['const x = await agent("a") as string', '2:28', 'this is TypeScript, but the file is read as JavaScript'],
    ['interface A { b: string }', '2:1', 'this is TypeScript, but the file is read as JavaScript'],
    ['enum A { B }', '2:1', "`enum` is TypeScript that can't be erased: only types are taken out of a script"],
    ['x = “a”', '2:5', 'Unexpected character `“`'],
    ['a\u200bb = 1', '2:2', 'Unexpected character U+200B (zero-width space)'],
    ['function f() { await x }', '2:16', "Cannot use keyword 'await' outside an async function"],
    ['<<<<<<< HEAD\nx = 1', '2:1', 'a merge conflict was left in the file'],
    ['let a; let a', '2:12', "Identifier 'a' has already been declared"],
    ['@dec class A {}', '2:1', 'decorators can’t be used in a script: the JavaScript it runs as has none'],
    ['const = 3', '2:7', 'Unexpected token `=`'],
    ['return (1 +', '2:8', 'the `(` that opened at 2:8 is never closed'],
    ['let x =', '2:8', 'Unexpected end of the script'],
  ])('as in %j are named at their place', (body, at, message) => {
    expect(explain(body)).toMatchObject({ at, message })
  })

  it('of a file named as JavaScript come with the name it should have', () => {
    expect(explain('let x: number = 1', 'flows/review.mjs').hint).toContain('flows/review.ts')
  })

  it('are at the line and column of a CRLF file as written', () => {
    const [finding] = findings(`${META.replace('\n', '\r\n')}\r\nlet x = 1\r\nconst = 3`)
    expect(finding).toMatchObject({ line: 4, column: 7 })
  })

  it('of nesting are told without a crash, whatever nests', () => {
    for (const [open, close] of [
      ['(', ')'],
      ['{', '}'],
      ['a(', ')'],
      ['`${', '}`'],
      ['!', ''],
      ['x=>', ''],
      ['if(a)', ''],
    ] as const) {
      const body = `${open.repeat(30_000)}1${close.repeat(30_000)}`
      const codes = findings(META + body).map(({ code }) => code)
      expect(codes, open).toContain('parse/too-deep')
    }
  })

  it('quote no more of the script than anyone would read', () => {
    const [finding] = findings(`${META}return /${'(a|b)*'.repeat(100_000)}/`)
    expect(finding).toMatchObject({ code: 'parse/runtime-syntax', message: expect.stringMatching(/^.{1000}…$/s) })
  })

  it('that only the engine at hand objects to are told at their place', () => {
    const source = new SourceText('a\nlet = 3\n', 'a.js')
    const { code, positions } = applyEdits(source, [], '(async function(){', '\n})')
    expect(findRuntimeSyntaxError(source, code, positions)).toMatchObject({
      code: 'parse/runtime-syntax',
      message: expect.stringContaining('strict mode reserved word'),
      start: 2,
      end: 3,
    })
  })
})
