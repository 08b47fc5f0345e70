import fc from 'fast-check'
// @ts-expect-error -- SES has no types for this door
import { transforms } from 'ses/tools.js'
import { describe, expect, it } from 'vitest'
import { analyzeScript } from '../../../src/engine/script/analyze.ts'
import type { Diagnostic } from '../../../src/shared/index.ts'

const VALID = `export const meta = { name: 'sample', description: 'a \`tick\`', phases: [{ title: 'One' }, { title: 'Two' }] }
// a comment about import('x')
const SCHEMA = { type: 'object', properties: { a: { type: 'string' } } }
phase('One')
const found = await parallel(args.items.map((item) => () => agent(\`look at \${item} <!-- -->\`, { schema: SCHEMA, label: 'x' })))
class Box { #v = 1; get v() { return this.#v } }
for (const [i, x] of found.entries()) { if (x && i > 0) log(\`\${i}: \${JSON.stringify(x)}\`) }
phase('Two')
try { await workflow('other', { a: 1 }) } catch ({ message }) { console.warn(message) }
const re = /import(x)[/]-->/g, t = String.raw\`eval(\\u)\`
return { found: found.filter(Boolean), v: new Box().v, re: re.source, t }
`

function expectInside(text: string, diagnostics: readonly Diagnostic[]): void {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|[\n\r]/)
  for (const d of diagnostics) {
    expect(d.line).toBeGreaterThanOrEqual(1)
    expect(d.endLine).toBeLessThanOrEqual(lines.length)
    expect(d.column).toBeGreaterThanOrEqual(1)
    expect(d.column).toBeLessThanOrEqual((lines[d.line - 1] ?? '').length + 1)
    expect(d.endColumn).toBeLessThanOrEqual((lines[d.endLine - 1] ?? '').length + 1)
    expect(d.endLine > d.line || d.endColumn >= d.column).toBe(true)
    expect(d.message).not.toBe('')
  }
}

/** Analyses as both languages; whatever is prepared must pass SES's own gate. */
function check(text: string): void {
  for (const fileName of ['a.js', 'a.ts']) {
    const { diagnostics, prepared } = analyzeScript({ text, fileName, path: null }, { workflows: ['other'] })
    expectInside(text, diagnostics)
    if (prepared === undefined) {
      expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(true)
    } else {
      transforms.mandatoryTransforms(prepared.code)
      transforms.rejectSomeDirectEvalExpressions(prepared.code)
    }
  }
}

const PIECES = [
  '`',
  '${',
  '}',
  "'",
  '"',
  '(',
  ')',
  '[',
  ']',
  '{',
  '<!--',
  '-->',
  'import',
  'eval',
  '(',
  '/',
  '//',
  '/*',
  '*/',
  '\\',
  '\n',
  '\r\n',
  '\u2028',
  '\uFEFF',
  '😀',
  '\ud83d',
  '\u202e',
  'export const meta = ',
  'await ',
  'agent',
  'async ',
  'class ',
  '=>',
  ',',
  ';',
  ': string',
  ' as ',
  '<',
  '>',
  '#',
  '@',
  '1',
  'x',
  ' ',
  '...',
  '?.',
  '!',
  '--',
  '__proto__',
]

describe('any text', () => {
  it('is analysed without a crash, with every finding inside of it', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 80 }), check), { numRuns: 300 })
    const soup = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((parts) => parts.join(''))
    fc.assert(fc.property(soup, check), { numRuns: 300 })
    fc.assert(
      fc.property(soup, (text) => check(`export const meta = { name: 'a', description: 'd' }\n${text}`)),
      { numRuns: 300 },
    )
  })

  it('made by mutating a valid script is, too', () => {
    const mutation = fc.record({ at: fc.nat(VALID.length), remove: fc.nat(12), insert: fc.constantFrom('', ...PIECES) })
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 3 }), (mutations) => {
        let text = VALID
        for (const { at, remove, insert } of mutations) text = text.slice(0, at) + insert + text.slice(at + remove)
        check(text)
      }),
      { numRuns: 200 },
    )
  })

  it('given as meta is judged without a crash', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.jsonValue(),
          fc.record(
            { name: fc.jsonValue(), description: fc.jsonValue(), phases: fc.jsonValue() },
            { requiredKeys: [] },
          ),
        ),
        (meta) => {
          const { diagnostics, prepared } = analyzeScript({ text: 'return 1', fileName: 'a.js', path: null, meta })
          expectInside('return 1', diagnostics)
          // Meta that is undefined was not given: the text has none either.
          expect(prepared === undefined).toBe(diagnostics.some(({ severity }) => severity === 'error'))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('written as a literal is meta if it fits', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((value) => /\S/.test(value))
    const meta = fc.record(
      {
        name: text,
        description: text,
        whenToUse: fc.string(),
        phases: fc.array(fc.record({ title: text, detail: fc.string() })),
      },
      { requiredKeys: ['name', 'description'] },
    )
    fc.assert(
      fc.property(meta, (value) => {
        const { meta: read } = analyzeScript({
          text: `export const meta = ${JSON.stringify(value)}`,
          fileName: 'a.js',
          path: null,
        })
        expect(read).toEqual(value)
      }),
    )
  })
})

describe('a valid script', () => {
  it('has no findings', () => {
    expect(analyzeScript({ text: VALID, fileName: 'a.js', path: null }, { workflows: ['other'] }).diagnostics).toEqual(
      [],
    )
  })

  it('of 1,000 lines is analysed in far less than the time between two key strokes', () => {
    const [head = '', ...body] = VALID.split('\n')
    const block = body.filter((line) => !line.startsWith('return')).join('\n')
    const text = `${head}\n${`{\n${block}\n}\n`.repeat(84)}`
    expect(text.split('\n').length).toBeGreaterThan(1000)
    const times = Array.from({ length: 6 }, () => {
      const started = process.cpuUsage().user
      analyzeScript({ text, fileName: 'a.js', path: null })
      return (process.cpuUsage().user - started) / 1000
    })
    // The first runs compile the analyser itself; CPU time, as tests run beside each other.
    expect(Math.min(...times)).toBeLessThan(150)
  })
})
