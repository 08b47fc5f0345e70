import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toWritten } from '../../../src/engine/script/positions.ts'
import { Compartments, prepare, withMeta } from './support/compartment.ts'

let compartments: Compartments

beforeAll(() => {
  compartments = new Compartments()
})
afterAll(async () => {
  await compartments.dispose()
})

async function valueOf(body: string, fileName?: string): Promise<unknown> {
  const answer = await compartments.run(body, fileName)
  if (!answer.ok) throw new Error(`${answer.name}: ${answer.message}\n${body}`)
  return answer.value
}

/** Pieces that SES, V8's line counting or a careless rewrite would trip over. */
const TRICKY = [
  'import("x")',
  "import x from 'y'",
  'import (',
  'import/**/',
  'import//',
  '...import(',
  '<!--',
  '-->',
  '<!---->',
  'eval(',
  'eval (',
  'require("fs")',
  '`',
  '${',
  '}',
  '\\',
  "'",
  '"',
  '/',
  '//',
  '/*',
  '*/',
  '\u2028',
  '\u2029',
  '\n',
  '\r',
  '\r\n',
  '\t',
  '\0',
  '😀',
  '\ud83d',
  '\ude00',
  'é',
  ' ',
  'a',
  '7',
  '#',
  '@',
  '__proto__',
]

const trickyText = fc
  .array(fc.oneof(fc.constantFrom(...TRICKY), fc.string({ maxLength: 3, unit: 'binary' })), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''))

const inSingleQuotes = (text: string): string =>
  `'${text.replace(/[\\'\n\r]/g, (c) => ({ '\\': '\\\\', "'": "\\'", '\n': '\\n', '\r': '\\r' })[c] ?? c)}'`
const inDoubleQuotes = (text: string): string =>
  `"${text.replace(/[\\"\n\r]/g, (c) => ({ '\\': '\\\\', '"': '\\"', '\n': '\\n', '\r': '\\r' })[c] ?? c)}"`
/** Line feeds stay as they are; only `\r` has to be escaped, as templates turn it into `\n`. */
const inBackticks = (text: string): string =>
  `\`${text.replace(/[\\`\r]|\$(?=\{)/g, (c) => ({ '\\': '\\\\', '`': '\\`', '\r': '\\r', $: '\\$' })[c] ?? c)}\``

describe('text in the sandbox', () => {
  it.each([
    ['an import call', 'import("x")'],
    ['a static import', "import x from 'y'"],
    ['an HTML comment', 'before <!-- inside --> after'],
    ['a direct eval', 'eval(code) and eval (code)'],
    ['require', "require('fs')"],
    ['backticks and placeholders', '`${a}` and ${b}'],
    ['emoji and separators', '👩‍👩‍👧 \u2028 \u2029 \ud83d alone'],
  ])('reaches an agent byte for byte when it holds %s', async (_what, text) => {
    const body = `return [${inSingleQuotes(text)}, ${inDoubleQuotes(text)}, ${inBackticks(text)}, await agent(${inBackticks(text)})]`
    const answer = await compartments.run(body)
    expect(answer).toEqual({ ok: true, value: [text, text, text, text], prompts: [text] })
  })

  it('is the same in every kind of literal, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(trickyText, async (text) => {
        const value = await valueOf(
          `const raw = (strings, ...values) => [strings.join('|'), values]
           return [${inSingleQuotes(text)}, ${inDoubleQuotes(text)}, ${inBackticks(text)}, raw${inBackticks(text)}[0], { ${inSingleQuotes(`k${text}`)}: 1 }, \`a\${${inBackticks(text)}}b\`]`,
        )
        expect(value).toEqual([text, text, text, text, { [`k${text}`]: 1 }, `a${text}b`])
      }),
      { numRuns: 300 },
    )
  })

  it('keeps the raw text of tagged templates', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(trickyText, { minLength: 1, maxLength: 3 }), async (parts) => {
        // What String.raw sees is what stands in the source, with line ends normalised.
        const quasis = parts.map((part) => inBackticks(part).slice(1, -1))
        const template = quasis.join('${[1, 2].length}')
        const raw = quasis.map((quasi) => quasi.replace(/\r\n?/g, '\n'))
        const value = await valueOf(
          `const tag = (strings, ...values) => [strings.raw, Object.isFrozen(strings), Object.isFrozen(strings.raw), values]\nreturn tag\`${template}\``,
        )
        expect(value).toEqual([raw, true, true, parts.slice(1).map(() => 2)])
      }),
      { numRuns: 200 },
    )
  })

  it('keeps the source and the meaning of regular expressions', async () => {
    await fc.assert(
      fc.asyncProperty(trickyText, async (text) => {
        const pattern = text
          .replace(/[\n\r\u2028\u2029]/g, 'x')
          .replace(/[$()*+.?[\\\]^{|}/-]/g, (c) => (c === '-' ? '-' : `\\${c}`))
        if (pattern === '') return
        const subject = text.replace(/[\n\r\u2028\u2029]/g, 'x')
        const value = await valueOf(
          `const re = /${pattern}/g; return [re.source, re.flags, re.test(${JSON.stringify(subject)})]`,
        )
        expect(value).toEqual([new RegExp(pattern, 'g').source, 'g', true])
      }),
      { numRuns: 200 },
    )
  })
})

describe('code in the sandbox', () => {
  it.each([
    ['`a<!--b` stays three operators', 'let b = 2; return [1 <!--b, b]', [false, 1]],
    ['`a-->b` stays two operators', 'let a = 2; return [a-->1, a]', [true, 1]],
    [
      'members may be called import and eval',
      'const o = { import(x) { return x }, eval: (x) => x + 1 }; return [o.import (1), o. eval (1), o?.import(3)]',
      [1, 2, 3],
    ],
    [
      'class members may be called import and eval',
      'class A { #import (x) { return x } static eval (x) { return x } get() { return this.#import (4) } }; return [new A().get(), A. eval (5)]',
      [4, 5],
    ],
    [
      'names may end in import and eval',
      'const $import = (x) => x, éeval = (x) => -x; const o = { $import }; return [$import(1), éeval (2), o.$import (3)]',
      [1, -2, 3],
    ],
    [
      'names may be destructured',
      'const { $import, $eval = 3 } = { $import: 1 }; let a; ({ $import: a } = { $import: 7 }); return [$import, $eval, a]',
      [1, 3, 7],
    ],
    [
      'a regular expression may be divided',
      'const g = 2; return [/import/ /g, typeof/import(x)/.source]',
      [NaN, 'string'],
    ],
    [
      'a tag keeps its this',
      "const o = { p: 'q', tag(s) { return this.p + s.raw[0] } }; return o.tag`<!--\\n`",
      'q<!--\\n',
    ],
    [
      'a tag may be constructed',
      'const tag = () => class { v = 1 }; return [new tag`import(x)`().v, new (tag`import(x)`)().v]',
      [1, 1],
    ],
    [
      'a template with an invalid escape has undefined for its text',
      'return ((s) => [s[0], s.raw[0]])`\\u import(`',
      [undefined, '\\u import('],
    ],
    [
      'an expression in a tagged template may hold a comma',
      'return ((s, ...v) => v)`import(${(1, 2)}import(${[3, 4]}`',
      [2, [3, 4]],
    ],
    ['meta is readable', 'return meta.name', 'test'],
    ['a comment may say anything', '// import(x) <!-- eval(\n/* --> import("y") */ return 1 // -->', 1],
    [
      'a comment with a line end ends a statement',
      'const f = () => { return /* import(\n */ 5 }; return f()',
      undefined,
    ],
    ['a script may await at its top', 'const x = await Promise.resolve(3); return x', 3],
    ['eval runs in the sandbox', "return [eval('1 + 1'), eval('typeof process')]", [2, 'undefined']],
    ['this is undefined', 'return typeof this', 'undefined'],
  ])('%s', async (_fact, body, expected) => {
    expect(await valueOf(body)).toEqual(expected)
  })

  it('gives a tag the same strings at each evaluation of one place, and others at another', async () => {
    const value = await valueOf(
      'const seen = []; const tag = (s) => seen.push(s); for (let i = 0; i < 2; i++) tag`import(x)`; tag`import(x)`; return [seen[0] === seen[1], seen[0] === seen[2]]',
    )
    expect(value).toEqual([true, false])
  })

  it('throws a ReferenceError with its own place for a name that does not exist', async () => {
    const body = 'const a = 1\nconst f = () =>\n  a + undefinedName\nreturn f()'
    const answer = await compartments.run(body)
    expect(answer).toMatchObject({ ok: false, name: 'ReferenceError', message: 'undefinedName is not defined' })
    if (answer.ok) return
    const [, line, column] = /<anonymous>:(\d+):(\d+)/.exec(answer.stack) ?? []
    const { positions } = prepare(withMeta(body))
    expect(toWritten(positions, { line: Number(line), column: Number(column) })).toEqual({ line: 4, column: 7 })
  })

  it.each([
    ['as a callee', 'return foo(1)'],
    ['in new', 'return new Foo.Bar(1)'],
    ['as a shorthand', 'return { foo }'],
    ['in extends', 'class A extends Foo {}; return 1'],
    ['as a tag', 'return foo`x`'],
    ['at a line start', 'const a = () => 1\nfoo'],
    ['in a default', 'const { a = foo } = {}; return a'],
    ['when assigned', 'foo = 1'],
  ])('refuses to read a name that does not exist %s', async (_where, body) => {
    expect(await compartments.run(body)).toMatchObject({ ok: false, name: 'ReferenceError' })
  })

  it('says why a name that many will try does not exist', async () => {
    expect(await compartments.run('setTimeout(() => {}, 1)')).toMatchObject({
      message: 'setTimeout is not defined (scripts have no timers: time belongs to the agents they start)',
    })
  })

  it('reads names that the script has put on globalThis, and typeof of those that are nowhere', async () => {
    expect(
      await valueOf('globalThis.late = undefined; globalThis.soon = 2; return [late, soon, typeof never]'),
    ).toEqual([undefined, 2, 'undefined'])
  })

  it('takes no name that the script uses for its own helpers', async () => {
    expect(await valueOf('const $weft_0 = 1, $weft_ = 2; return [$weft_0, $weft_, /import(x)/.source]')).toEqual([
      1,
      2,
      'import(x)',
    ])
  })

  it('keeps the number of lines', () => {
    const text = withMeta('const t = ((s) => s)`import(\n\n${1}\n<!--\n`\n/* a\n b */ return t')
    expect(prepare(text).code.split('\n')).toHaveLength(text.split('\n').length + 1)
  })
})
