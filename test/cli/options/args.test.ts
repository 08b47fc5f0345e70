import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readArgs } from '../../../src/cli/options/args.ts'
import { CliError } from '../../../src/cli/errors.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-args-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function refusal(text: string): string {
  try {
    readArgs(text, folder)
  } catch (error) {
    expect(error).toBeInstanceOf(CliError)
    return String(error)
  }
  throw new Error('it was not refused')
}

describe('readArgs', () => {
  it.each(['{"a":[1],"n":null}', 'null', '0', '-5', '"text"', '"{\\"a\\":1}"', '[]', ' true '])(
    'hands over %s verbatim',
    (text) => {
      expect(readArgs(text, folder)).toStrictEqual(JSON.parse(text))
    },
  )

  it('keeps an own __proto__ key as data', () => {
    const value = readArgs('{"__proto__":{"x":1}}', folder)
    expect(Object.keys(value as object)).toEqual(['__proto__'])
  })

  it('reads a file, with or without a byte order mark', () => {
    writeFileSync(join(folder, 'args.json'), '\uFEFF{"über":"ü `x` 🧵"}')
    expect(readArgs('@args.json', folder)).toEqual({ über: 'ü `x` 🧵' })
  })

  it('names the place of what is no JSON, with the line and a caret', () => {
    expect(refusal('{"a": x}')).toBe(
      [
        "CliError: --args is not valid JSON at line 1, column 7: Unexpected character 'x' found",
        '1 | {"a": x}',
        '  |       ^',
        'Quote the JSON for your shell, or put it into a file: --args @args.json',
      ].join('\n'),
    )
  })

  it('names file, line and column in a file', () => {
    writeFileSync(join(folder, 'bad.json'), '{\n  "a": 1,\n  "b": 2,\n}\n')
    expect(refusal('@bad.json')).toContain('bad.json is not valid JSON at line 4, column 1')
  })

  it.each(['{', '[1,', '"open', '{"a"}', "{'a':1}", '1 2', 'undefined', '{a:1}', '[1,]'])(
    'finds a line and a column in %s',
    (text) => {
      expect(refusal(text)).toMatch(/at line 1, column \d+: /)
    },
  )

  it.each(['', '  '])('says of %j that it is empty', (text) => {
    expect(refusal(text)).toContain('--args is empty where JSON is needed')
  })

  it('says which file it could not read', () => {
    expect(refusal('@missing.json')).toContain('--args could not read missing.json: ENOENT')
    expect(refusal('@')).toContain('--args @ names no file')
  })
})
