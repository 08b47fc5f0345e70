import { describe, expect, test } from 'vitest'
import { parseScript } from '../../../src/engine/script/parse.ts'

const NAMES = Array.from({ length: 20_000 }, (_, i) => `v${i}`)

function failureOf(text: string): string {
  const parsed = parseScript(text)
  return parsed.ok ? 'none' : `${parsed.failure.message} at ${parsed.failure.offset}`
}

describe('a script with 20,000 declarations', () => {
  test.each(['let', 'var', 'function'])('(%s) is parsed, names that are declared twice are found', (kind) => {
    const declare = (names: readonly string[]): string =>
      kind === 'function' ? names.map((name) => `function ${name}(){}`).join('') : `${kind} ${names.join(',')};`
    const text = declare(NAMES)
    expect(failureOf(text)).toBe('none')
    for (const name of ['v0', 'v19999'])
      expect(failureOf(`${text}let ${name}`)).toBe(
        `Identifier '${name}' has already been declared at ${text.length + 4}`,
      )
    expect(failureOf(`${text}{ let v7 } ((v8) => v8)(1)`)).toBe('none')
  })
})

test('what may be declared twice still may', () => {
  const many = NAMES.slice(0, 100).join(',')
  expect(failureOf(`var ${many}; var ${many}`)).toBe('none')
  expect(failureOf(`try {} catch (v99) { var ${many} }`)).toBe('none')
  expect(failureOf(`let ${many}; { function v50() {} }`)).toBe('none')
  expect(failureOf(`let ${many}; { var v50 }`)).toMatch(/already been declared/)
})
