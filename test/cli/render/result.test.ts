import { describe, expect, it } from 'vitest'
import { renderResult, renderResultHead } from '../../../src/cli/render/result.ts'

describe('renderResult', () => {
  it('writes text as it is and anything else as indented JSON', () => {
    expect(renderResult('a `b`\n', false)).toBe('a `b`\n')
    expect(renderResult({ a: [1] }, false)).toBe('{\n  "a": [\n    1\n  ]\n}\n')
    expect(renderResult(null, false)).toBe('null\n')
  })

  it('gives a pipe every byte and a terminal no control characters', () => {
    expect(renderResult('\u001b[2J', false)).toBe('\u001b[2J\n')
    expect(renderResult('\u001b[2J', true)).toBe('\\u001b[2J\n')
  })
})

describe('renderResultHead', () => {
  it('says how many lines it left out', () => {
    expect(renderResultHead('1\n2\n3\n4\n5', false, 2)).toBe('1\n2\n… 3 more lines (all of it with --json)\n')
    expect(renderResultHead('1\n2\n3', false, 2)).toBe('1\n2\n3\n')
  })
})
