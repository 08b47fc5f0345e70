import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createChecker, type Checker } from '../../../src/engine/check/checker.ts'
import { ScriptRefusedError } from '../../../src/engine/errors.ts'
import type { ScriptText } from '../../../src/engine/ports.ts'
import type { JsonValue } from '../../../src/shared/index.ts'

const FILE = new URL('../../../src/engine/check/worker.ts', import.meta.url)
const META = "export const meta = { name: 'a', description: 'd' }\n"

const open: Checker[] = []
function checker(timeoutMs: number, more: { file?: URL; memoryMiB?: number } = {}): Checker {
  const made = createChecker({ file: FILE, timeoutMs, ...more })
  open.push(made)
  return made
}
/** For tests that do it no harm: a worker takes a while to start. */
let shared: Checker
beforeAll(() => {
  shared = createChecker({ file: FILE, timeoutMs: 30_000 })
})
afterAll(async () => {
  await shared.dispose()
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((made) => made.dispose()))
})

const script = (text: string, fileName = 'a.js'): ScriptText => ({ text, fileName, path: null })
/** Takes about for ever on forty letters and an exclamation mark. */
const CATASTROPHE = { type: 'string', pattern: '^([\\w, ]+)*$' }
const VICTIM = `${'a'.repeat(40)}!`

describe('a script', () => {
  it('is prepared with everything the engine needs of it', async () => {
    const source = script(`${META}return await agent('x')`)
    const prepared = await shared.prepare(source)
    expect(prepared).toMatchObject({
      meta: { name: 'a', description: 'd' },
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      diagnostics: [],
      code: expect.stringContaining('async function'),
      callSites: [{ hook: 'agent', line: 2, column: 14, endLine: 2, endColumn: 24 }],
    })
    expect(prepared.source).toBe(source)
  })

  it('that can not run is refused with every finding and its place', async () => {
    const refused = await shared
      .prepare(script(`${META}import x from 'y'\nagent('z')\nexport default 1`))
      .catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ScriptRefusedError)
    expect(refused).toMatchObject({ code: 'SCRIPT_PARSE', fileName: 'a.js' })
    expect(String(refused)).toContain('a.js:2:1: `import` is refused in a script')
    expect(String(refused)).toContain('a.js:4:1: a script exports nothing but `meta`')
  })

  it.each([
    ['export const meta = {}', 'META_INVALID'],
    ['let x = 1', 'META_INVALID'],
    [`${META}let = 1`, 'SCRIPT_PARSE'],
  ])('%j is refused with the code of what is wrong', async (text, code) => {
    await expect(shared.prepare(script(text))).rejects.toMatchObject({ code })
  })

  it('is diagnosed, whatever it is', async () => {
    const made = shared
    expect(await made.diagnose(script('let = 1'))).toMatchObject({ meta: null })
    const { meta, diagnostics } = await made.diagnose(script(`${META}await workflow('reviw')`), ['review'])
    expect(meta?.name).toBe('a')
    expect(diagnostics.map(({ code }) => code)).toEqual(['lint/unknown-workflow'])
  })

  it('has its literal schemas compiled, and findings where that fails', async () => {
    const { diagnostics } = await shared.diagnose(
      script(
        `${META}const S = { type: 'objekt' }\nawait agent('x', { schema: S })\nawait agent('y', { schema: { type: 'string', minLenght: 1 } })`,
      ),
    )
    expect(diagnostics.map(({ line, severity, code }) => [line, severity, code])).toEqual([
      [2, 'error', 'lint/schema'],
      [4, 'info', 'lint/schema-note'],
    ])
  })

  it('with meta that no thread can be given is refused in words', async () => {
    const meta = { name: 'a', description: () => 1 }
    await expect(shared.prepare({ ...script('return 1'), meta })).rejects.toMatchObject({
      name: 'ScriptRefusedError',
    })
  })

  it('that takes too long to check is refused, and the next one is not', async () => {
    const made = checker(300)
    const slow = `${META}${'f(a => b, { c: [`d`] });\n'.repeat(38_000)}`
    await expect(made.prepare(script(slow))).rejects.toThrow('checking the script timed out after 0.3 s')
    // What is short enough is checked by a new worker. Machines differ: it may take more than one attempt.
    await expect.poll(() => made.diagnose(script(META)).then(({ meta }) => meta?.name), { timeout: 15_000 }).toBe('a')
  })

  it('that is too much for the worker’s memory is refused, and the host lives', async () => {
    const made = checker(60_000, { memoryMiB: 24 })
    await expect(made.prepare(script(`${META};[${'[],'.repeat(300_000)}]`))).rejects.toThrow(
      'checking the script failed: it ran out of memory',
    )
  })

  it('that is larger than any script is refused', async () => {
    await expect(shared.prepare(script(`${META}/*${'x'.repeat(1_000_000)}*/`))).rejects.toThrow(
      'the script is too large',
    )
  })
})

describe('a schema', () => {
  it('is compiled once for all that are equal, and never changed', async () => {
    const made = shared
    const schema = { type: 'array', items: { $ref: '#/$defs/i' }, $defs: { i: { type: 'string' } } }
    const before = structuredClone(schema)
    const first = await made.compileSchema(schema)
    const second = await made.compileSchema({
      $defs: { i: { type: 'string' } },
      items: { $ref: '#/$defs/i' },
      type: 'array',
    })
    expect(first).toEqual({
      ok: true,
      wrapped: true,
      notes: [],
      objectSchema: {
        type: 'object',
        properties: { value: { type: 'array', items: { $ref: '#/$defs/i' } } },
        required: ['value'],
        additionalProperties: false,
        $defs: { i: { type: 'string' } },
      },
    })
    expect(second).toEqual(first)
    // Each caller may change what it got.
    if (first.ok) delete first.objectSchema['$defs']
    expect(await made.compileSchema(schema)).toEqual(second)
    expect(schema).toEqual(before)
  })

  it('that is refused says why, before anything is validated', async () => {
    const made = shared
    expect(await made.compileSchema({ $ref: '#' })).toMatchObject({ ok: false })
    expect(await made.validate({ $ref: '#' }, 1, 'plain')).toMatchObject({ ok: false })
    expect(await made.compileSchema({ type: 'objekt' })).toMatchObject({
      ok: false,
      errors: [expect.stringContaining('/type must be one of'), expect.anything()],
    })
  })
})

describe('a value', () => {
  it('that fits is given back itself', async () => {
    const value = { a: ['日本', { b: '</output>' }] }
    const verdict = await shared.validate({ type: 'object' }, value, 'plain')
    expect(verdict).toEqual({ ok: true, value })
    expect(verdict.ok && verdict.value).toBe(value)
  })

  it('that does not fit is told where and why', async () => {
    const schema = { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } }, required: ['b'] }
    expect(await shared.validate(schema, { a: ['x', 1] }, 'plain')).toEqual({
      ok: false,
      errors: ['the answer lacks the property "b"', '/a/1 must be string, not number'],
    })
  })

  it('in its wrapping is unwrapped, and its errors have the paths of what was given', async () => {
    const made = shared
    const schema = { type: 'array', items: { type: 'string' } }
    expect(await made.validate(schema, { value: ['x'] }, 'wrapped')).toEqual({ ok: true, value: ['x'] })
    expect(await made.validate(schema, { value: [1] }, 'wrapped')).toEqual({
      ok: false,
      errors: ['/value/0 must be string, not number'],
    })
    expect(await made.validate(schema, ['x'], 'wrapped')).toMatchObject({ ok: false })
    expect(await made.validate(schema, { value: [], more: 1 }, 'wrapped')).toMatchObject({ ok: false })
    expect(await made.validate(schema, ['x'], 'plain')).toEqual({ ok: true, value: ['x'] })
    // A root that is an object needs no wrapping, so both forms are one.
    expect(await made.validate({ type: 'object' }, { value: 1 }, 'wrapped')).toEqual({ ok: true, value: { value: 1 } })
  })

  it('is judged by its own schema when two share an $id', async () => {
    const made = shared
    const [object, string] = await Promise.all([
      made.validate({ $id: 'R', type: 'object' }, {}, 'plain'),
      made.validate({ $id: 'R', type: 'string' }, {}, 'plain'),
    ])
    expect([object.ok, string.ok]).toEqual([true, false])
  })

  it('nested 20,000 deep is invalid, not the end of the process', async () => {
    const made = shared
    let value: JsonValue = []
    for (let i = 0; i < 20_000; i++) value = [value]
    const recursive = { $ref: '#/$defs/l', $defs: { l: { type: 'array', items: { $ref: '#/$defs/l' } } } }
    expect(await made.validate(recursive, value, 'plain')).toMatchObject({
      ok: false,
      errors: [expect.stringContaining('invalid: too deep')],
    })
    let fine: JsonValue = []
    for (let i = 0; i < 900; i++) fine = [fine]
    expect(await made.validate(recursive, fine, 'plain')).toMatchObject({ ok: true })
  })

  it('that a pattern never ends on times out, and its worker is replaced', async () => {
    const made = checker(1500)
    expect(await made.validate(CATASTROPHE, VICTIM, 'plain')).toEqual({
      ok: false,
      errors: ['validation timed out after 1.5 s'],
    })
    expect(await made.validate(CATASTROPHE, 'fine', 'plain')).toEqual({ ok: true, value: 'fine' })
  })

  it('that a pattern never ends on holds up neither other values nor the editor', async () => {
    const made = checker(120_000)
    const stuck = expect(made.validate(CATASTROPHE, VICTIM, 'plain')).rejects.toThrow('disposed')
    expect(await made.validate({ type: 'number' }, 1, 'plain')).toEqual({ ok: true, value: 1 })
    expect(await made.diagnose(script(META))).toMatchObject({ diagnostics: [] })
    await made.dispose()
    await stuck
  })

  it('with very many violations is told the first of them', async () => {
    const schema = { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'boolean' }] } }
    const verdict = await shared.validate(
      schema,
      Array.from({ length: 200_000 }, () => 1),
      'plain',
    )
    expect(verdict).toMatchObject({
      ok: false,
      errors: ['/0 must be string, not number', expect.anything(), expect.anything()],
    })
  })

  it('too large to be looked at is invalid', async () => {
    const half = 'x'.repeat(16_000_000)
    expect(await shared.validate(true, [half, half], 'plain')).toEqual({ ok: false, errors: ['invalid: too large'] })
  })

  it('is judged 10,000 times over', async () => {
    const made = checker(30_000)
    const validate = (n: number): Promise<unknown> =>
      made.validate({ type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }, { n }, 'plain')
    await validate(0)
    const verdicts = await Promise.all(Array.from({ length: 10_000 }, (_, n) => validate(n)))
    expect(verdicts).toHaveLength(10_000)
    expect(verdicts.every((verdict) => (verdict as { ok: boolean }).ok)).toBe(true)
  })
})

describe('a checker', () => {
  it('whose worker can not be started says so for each call', async () => {
    const made = checker(1000, { file: new URL('./no-such-worker.ts', import.meta.url) })
    expect(await made.validate(true, 1, 'plain')).toMatchObject({
      ok: false,
      errors: [expect.stringContaining('validation failed')],
    })
    await expect(made.prepare(script(META))).rejects.toThrow('checking the script failed')
  })

  it('that is disposed rejects what is under way and what comes after', async () => {
    const made = checker(30_000)
    const pending = made.validate(CATASTROPHE, VICTIM, 'plain')
    const assertion = expect(pending).rejects.toThrow('the checker has been disposed')
    await made.dispose()
    await assertion
    await expect(made.prepare(script(META))).rejects.toThrow('the checker has been disposed')
    await made.dispose()
  })
})
