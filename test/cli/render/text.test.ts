import { describe, expect, it } from 'vitest'
import { escapeBlock, escapeControls, fitWidth, padWidth } from '../../../src/cli/render/text.ts'

describe('escapeControls', () => {
  it('shows what would move the cursor, colour, or reorder text', () => {
    expect(escapeControls('a\nb\r\tc\u001b[31md\u0007\u009b2J\u202e')).toBe(
      'a\\nb\\r\\tc\\u001b[31md\\u0007\\u009b2J\\u202e',
    )
  })

  it('leaves typography, accents and emoji alone', () => {
    const text = '─ — · → ü 👩‍💻 漢字'
    expect(escapeControls(text)).toBe(text)
  })
})

describe('escapeBlock', () => {
  it('keeps line ends and tabs', () => {
    expect(escapeBlock('a\r\n\tb\u001b')).toBe('a\n\tb\\u001b')
  })
})

describe('fitWidth', () => {
  it('cuts by columns, never inside a character', () => {
    expect(fitWidth('漢字漢字', 5)).toBe('漢字…')
    expect(fitWidth('👩‍💻👩‍💻👩‍💻', 3)).toBe('👩‍💻…')
    expect(fitWidth('short', 5)).toBe('short')
  })

  it('ends colours where it cuts', () => {
    expect(fitWidth('\u001b[31mredredred\u001b[39m', 4)).toBe('\u001b[31mred\u001b[39m…')
  })
})

describe('padWidth', () => {
  it('counts columns, not characters', () => {
    expect(`${padWidth('漢', 4)}|`).toBe('漢  |')
  })
})
