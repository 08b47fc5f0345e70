import { describe, expect, it } from 'vitest'
import { analyzeScript } from '../../../src/engine/script/analyze.ts'
import { brief, covered, findings, fixed } from './support/findings.ts'

const script = (meta: string): string => `export const meta = ${meta}\nreturn 1`

describe('a construct in meta', () => {
  it.each([
    ["'x'.repeat(1e9)", 'a call of `.repeat()`'],
    ['(function(){for(;;);})()', 'a call'],
    ['make()', 'a call of `make()`'],
    ['`a${1}`', 'a template literal with `${…}`'],
    ["'na' + 'me'", 'a concatenation (`+`)'],
    ['other', 'the identifier `other`'],
    ['undefined', 'the identifier `undefined`'],
    ['new Date(0)', 'a call with `new`'],
    ['() => 1', 'a function'],
    ['async function () {}', 'a function'],
    ['class {}', 'a class'],
    ['/x/', 'a regular expression'],
    ['1n', 'a BigInt'],
    ['1e999', 'a number that is not finite'],
    ['[1, , 2]', 'an array with a hole'],
    ['[...x]', 'a spread (`...`)'],
    ['a ? 1 : 2', 'a conditional (`? :`)'],
    ['a ?? 1', 'the operator `??`'],
    ['+1', 'the operator `+`'],
    ['a.b', 'a property access'],
    ['(1, 2)', 'a comma expression'],
    ['tag`x`', 'a tagged template'],
    ['await 1', '`await`'],
    ['this', '`this`'],
  ])('%s is refused by name', (value, construct) => {
    const text = script(`{ name: ${value}, description: 'd' }`)
    const [finding] = findings(text).filter(({ code }) => code === 'meta/not-literal')
    expect(finding?.message).toContain(construct)
    expect(finding).toMatchObject({ severity: 'error', line: 1 })
  })

  it.each([
    ["['na' + 'me']: 1", 'a computed key'],
    ['...{ a: 1 }', 'a spread (`...`)'],
    ['__proto__: {}', 'the key `__proto__`'],
    ["'__proto__': {}", 'the key `__proto__`'],
    ['get phases() { for (;;); }', 'a getter `phases`'],
    ['set phases(x) {}', 'a setter `phases`'],
    ['phases() {}', 'a method `phases`'],
    ['phases', 'the identifier `phases`'],
  ])('%s is refused as a property', (property, construct) => {
    const text = script(`{ name: 'a', description: 'd', ${property} }`)
    const [finding] = findings(text).filter(({ code }) => code === 'meta/not-literal')
    expect(finding?.message).toContain(construct)
    expect(finding && covered(text, finding)).toBe(property)
  })

  it('that is plain is read', () => {
    const text =
      "export const meta = { 'name': 'a', description: `two\nlines`, /* why */ extra: [-1, 1.5, true, null, { 1: 'x' }], }"
    const { meta, diagnostics } = analyzeScript({ text, fileName: 'a.js', path: null })
    expect(meta).toEqual({ name: 'a', description: 'two\nlines', extra: [-1, 1.5, true, null, { 1: 'x' }] })
    expect(diagnostics.map(({ code }) => code)).toEqual(['meta/unknown-field'])
  })

  it('that nests too deep is refused without running out of stack', () => {
    for (const depth of [100, 10_000, 200_000]) {
      const text = script(`{ name: 'a', description: 'd', phases: ${'['.repeat(depth)}${']'.repeat(depth)} }`)
      const [finding] = findings(text)
      expect(finding?.code).toMatch(/^(?:meta|parse)\/too-deep$/)
      expect(finding?.message).toContain('too deep')
    }
  })

  it('is refused at once when it would never end', () => {
    const started = performance.now()
    findings(script("{ name: (function () { for (;;); })(), description: 'd', get phases() { for (;;); } }"))
    expect(performance.now() - started).toBeLessThan(1000)
  })
})

describe('a violation of meta', () => {
  it('is listed with its path at its own property, together with all others', () => {
    const text = `export const meta = {
  name: '',
  description: 4,
  phase: [],
  phases: [
    { title: 1, detial: 'x' },
    {},
    'x',
  ],
  whenToUse: null,
}`
    expect(findings(text).map((d) => [`${d.line}:${d.column}`, d.severity, d.message, covered(text, d)])).toEqual([
      ['2:9', 'error', 'meta/name must not be empty', "''"],
      ['3:16', 'error', 'meta/description must be a string, not 4', '4'],
      ['4:3', 'warning', 'meta has an unknown field `phase`', 'phase'],
      ['6:14', 'error', 'meta/phases/0/title must be a string, not 1', '1'],
      ['6:17', 'warning', 'meta/phases/0 has an unknown field `detial`', 'detial'],
      ['7:5', 'error', 'meta/phases/1 lacks `title`', '{'],
      ['8:5', 'error', 'meta/phases/2 must be an object, not "x"', "'x'"],
      ['10:14', 'error', 'meta/whenToUse must be a string, not null', 'null'],
    ])
  })

  it('names what lacks at the brace of the object that lacks it', () => {
    const text = 'export const meta = {}'
    expect(findings(text).map((d) => [d.message, covered(text, d)])).toEqual([
      ['meta lacks `name`', '{'],
      ['meta lacks `description`', '{'],
    ])
  })

  it('may be a warning alone, and then the script runs', () => {
    const text = script(
      "{ name: 'Not Kebab', description: 'd', name: 'Two', tags: [], phases: [{ title: 'A' }, { title: 'A' }] }",
    )
    expect(brief(text)).toEqual([
      '1:60 warning meta/duplicate-field',
      '1:66 warning meta/name-not-kebab',
      '1:73 warning meta/unknown-field',
      '1:101 warning lint/phase-not-used',
      '1:117 warning meta/duplicate-phase',
      '1:117 warning lint/phase-not-used',
    ])
    expect(analyzeScript({ text, fileName: 'a.js', path: null }).prepared?.meta.name).toBe('Two')
  })
})

describe('the statement that exports meta', () => {
  it.each([
    [
      'after another statement',
      "let x = 1\nexport const meta = { name: 'a', description: 'd' }",
      '2:1 error meta/not-first',
    ],
    ['as a variable', "export let meta = { name: 'a', description: 'd' }", '1:8 error meta/declaration'],
    ['with a second name', "export const meta = { name: 'a', description: 'd' }, x = 1", '1:54 error meta/declaration'],
    ['without an object', 'export const meta = 4', '1:21 error meta/not-literal'],
    ['with a call', 'export const meta = make()', '1:21 error meta/not-literal'],
  ])('is refused %s', (_how, text, expected) => {
    expect(brief(text).filter((line) => line.includes('error meta'))).toEqual([expected])
  })

  it('without its semicolon before a bracket is told how it reads', () => {
    for (const next of ['(async () => {})()', '[1].map(String)', '`text`']) {
      const [finding] = findings(`export const meta = { name: 'a', description: 'd' }\n${next}`)
      expect(finding).toMatchObject({ code: 'meta/not-literal', hint: expect.stringMatching(/with `;`/) })
    }
  })

  it('can be mended where `const` alone is missing', () => {
    const text = "export var meta = { name: 'a', description: 'd' }"
    expect(fixed(text, findings(text)[0])).toBe("export const meta = { name: 'a', description: 'd' }")
  })
})

describe('meta given as data', () => {
  const given = (meta: unknown, text = 'return args'): ReturnType<typeof analyzeScript> =>
    analyzeScript({ text, fileName: 'body.js', path: null, meta })

  it('goes with a body that exports nothing', () => {
    const { prepared, diagnostics } = given({ name: 'a', description: 'd' })
    expect(diagnostics).toEqual([])
    expect(prepared?.meta).toEqual({ name: 'a', description: 'd' })
  })

  it('is refused beside an exported meta', () => {
    const { prepared, diagnostics } = given({ name: 'a', description: 'd' }, script("{ name: 'b', description: 'd' }"))
    expect(prepared).toBeUndefined()
    expect(diagnostics.map(({ code }) => code)).toEqual(['meta/given-twice'])
  })

  it.each([
    [null, ['meta must be an object, not null']],
    [[], ['meta must be an object, not []']],
    ['x', ['meta must be an object, not "x"']],
    [{ name: 3 }, ['meta lacks `description`', 'meta/name must be a string, not 3']],
  ])('%j is refused with every violation', (meta, messages) => {
    expect(
      given(meta)
        .diagnostics.map(({ message }) => message)
        .sort(),
    ).toEqual(messages)
  })
})
