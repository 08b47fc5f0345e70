import { tokenizer } from 'acorn'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseScript } from '../../../src/engine/script/parse.ts'
import { stripTypes } from '../../../src/engine/script/strip-types.ts'
import { Compartments } from './support/compartment.ts'
import { brief, META } from './support/findings.ts'

function strip(text: string): string {
  const outcome = stripTypes(text)
  if (!outcome.ok) throw new Error(outcome.failure.message)
  expect(outcome.refused).toEqual([])
  expect(outcome.text).toHaveLength(text.length)
  expect(parseScript(outcome.text)).toMatchObject({ ok: true })
  return outcome.text
}

/** Without the white space that took the types' place. */
function tokens(text: string): string {
  return [...tokenizer(text, { ecmaVersion: 'latest', sourceType: 'module' })]
    .map(({ start, end }) => text.slice(start, end))
    .join(' ')
}

describe('types', () => {
  it.each([
    [
      'annotations',
      'const f = (a: string, b?: number): void => {}; let c: T, d!: U',
      'const f = ( a , b ) => { } ; let c , d',
    ],
    [
      'as, satisfies and !',
      'a = b as T; c = d satisfies U; e = f!.g!; h! = (i as any).j',
      'a = b ; c = d ; e = f . g ; h = ( i ) . j',
    ],
    [
      'generics',
      'f<T>(1); new M<K, V>(); t<A>`x`; const g = <T,>(x: T) => x; h = i<J>',
      'f ( 1 ) ; new M ( ) ; t ` x ` ; const g = ( x ) => x ; h = i',
    ],
    [
      'declarations',
      'type A = 1; interface B { c: D } declare const e: F; declare module "g" {} declare global {} declare enum H {}',
      '; ; ; ; ;',
    ],
    ['imports and exports of types', 'import type { A } from "a"; export type { A }; export interface B {}', '; ; ;'],
    [
      'overloads',
      'function f(a: string): void\nfunction f(a: number): void\nfunction f(a: any) {}',
      '; ; function f ( a ) { }',
    ],
    [
      'this parameters',
      'function f(this: A, b: C) {} function g(this: A) {}',
      'function f ( b ) { } function g ( ) { }',
    ],
    [
      'classes',
      'abstract class A<T> extends B<T> implements C, D<E> { private readonly a: string = ""; declare b: C; abstract c(): void; d?(): void; [k: string]: any; static override e!: F; protected constructor(g: H) { super() } }',
      'class A extends B { ; a = "" ; ; ; ; static e ; ; constructor ( g ) { super ( ) } }',
    ],
    [
      'predicates',
      'function f(x): x is A { return true } function g(x): asserts x {}',
      'function f ( x ) { return true } function g ( x ) { }',
    ],
    [
      'patterns',
      'const { a, b }: T = c; const [d]: U = e; try {} catch (f: unknown) {} for (const g of h as I[]) {}',
      'const { a , b } = c ; const [ d ] = e ; try { } catch ( f ) { } for ( const g of h ) { }',
    ],
    [
      'words that are types elsewhere',
      'const type = 1, as = 2, declare = 3; type + as + declare; of(type)',
      'const type = 1 , as = 2 , declare = 3 ; type + as + declare ; of ( type )',
    ],
  ])('as %s are taken out', (_what, text, expected) => {
    expect(tokens(strip(text)).replace(/ ?;/g, '')).toBe(expected.replace(/ ?;/g, ''))
  })

  it('leave every other character where it was', () => {
    const text = '/* 日本 */ const f = (a: \'😀\' | "x"): Promise<\n  number\n> => a // done\r\nlet b: /* why */ T = 1'
    const out = strip(text)
    const lineEnds = (code: string): number[] => [...code.matchAll(/[\n\r]/g)].map(({ index }) => index)
    expect(lineEnds(out)).toEqual(lineEnds(text))
    expect(out.indexOf('// done')).toBe(text.indexOf('// done'))
    expect(out.endsWith('= 1')).toBe(true)
  })

  it.each([
    ['a type before a bracket on the next line', 'let a = b as any\n;[1].x', 'let a = b ; [ 1 ] . x'],
    ['an assertion that ends its line', 'let a = b as any\n[1].x', 'let a = b ; [ 1 ] . x'],
    ['a declaration without a value', 'let x: number\n(foo)', 'let x ; ( foo )'],
    ['a type alias between two statements', 'foo\ntype A = 1\n(bar)', 'foo ; ( bar )'],
    [
      'a modifier before a computed member',
      'class A { x = 1\n readonly ["y"] = 2 }',
      'class A { x = 1 ; [ "y" ] = 2 }',
    ],
    ['an overload before a generator', 'class A { x = 1\n f(): void\n *f() {} }', 'class A { x = 1 ; * f ( ) { } }'],
    ['a non-null assertion before a call', 'x!\n(foo)', 'x ( foo )'],
  ])('do not join or part statements: %s', (_what, text, expected) => {
    expect(tokens(strip(text))).toBe(expected)
  })

  it.each([
    ['a return type of several lines', 'const f = (a: string): Promise<\nstring\n> => a'],
    ['a return type on its own line', 'const f = (a: string)\n: string => a'],
    ['type parameters of several lines after return', 'return <\nT\n>(x: T) => x'],
    ['type parameters of several lines after async', 'const f = async <\nT\n>(x: T) => x'],
  ])('keep an arrow function in one piece with %s', (_what, text) => {
    strip(text)
  })

  it.each([
    ['enum A { B }', '1:1 `enum`'],
    ['const enum A { B }', '1:1 `enum`'],
    ['namespace A { export const b = 1 }', '1:1 `namespace`'],
    ['module A { }', '1:1 `namespace`'],
    ['class A { constructor(private b: string) {} }', '1:23 a parameter property'],
    ['@dec class A {}', '1:1 decorators'],
    ['class A { @dec m() {} }', '1:11 decorators'],
    ['let a = <T>b', '1:9 a type assertion in angle brackets'],
    ['import a = require("a")', '1:1 `import … = …`'],
    ['export = 1', '1:1 `export =`'],
  ])('that make code are refused by name: %s', (text, expected) => {
    const outcome = stripTypes(text)
    const [finding] = outcome.ok ? outcome.refused : []
    const before = text.slice(0, finding?.start)
    expect(`1:${before.length + 1} ${finding?.message}`).toContain(expected)
  })

  it('that make code are refused together, each at its place', () => {
    expect(brief(`${META}enum A { X }\nnamespace B {}\nclass C { constructor(private x: number) {} }`, 'a.ts')).toEqual(
      ['2:1 error refused/typescript', '3:1 error refused/typescript', '4:23 error refused/typescript'],
    )
  })

  it('never throw, whatever the text', () => {
    const piece = fc.constantFrom(
      '<T>',
      ': string',
      ' as any',
      '!',
      'type A = ',
      'class ',
      '{',
      '}',
      '(',
      ')',
      '=>',
      '\n',
      'x',
      'abstract ',
      'declare ',
      '?',
      ',',
      'async ',
      'return ',
      '[',
      ']',
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 25 }).map((parts) => parts.join('')),
        (text) => {
          const outcome = stripTypes(text)
          if (outcome.ok) expect(outcome.text).toHaveLength(text.length)
          else expect(outcome.failure.offset).toBeLessThanOrEqual(text.length)
        },
      ),
      { numRuns: 1000 },
    )
  })
})

describe('a TypeScript script', () => {
  let compartments: Compartments
  beforeAll(() => {
    compartments = new Compartments()
  })
  afterAll(async () => {
    await compartments.dispose()
  })

  it('runs as the JavaScript it is without its types', async () => {
    const body = `type Item = { id: number }
interface Named extends Item { name: string }
abstract class Base<T> { protected abstract make(): T; run(): T { return this.make() } }
class Two extends Base<number> { readonly #n: number = 2; protected override make(): number { return this.#n } }
const items = [{ id: 1, name: 'a' }] as const satisfies readonly Named[]
const ids = <T extends Item>(list: readonly T[]): number[] =>
  list.map((item): number => item.id)
let later!: string
later = (await agent('x' as string))!
return [ids(items), new Two().run(), later] as unknown`
    expect(await compartments.run(body, 'a.ts')).toMatchObject({ ok: true, value: [[1], 2, 'x'] })
  })
})
