import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutText, nearestName, plural, tailText, toPreview, toWellFormed } from '../../../src/shared/index.ts'

const anyText = fc.string({ unit: 'binary' })

describe('cutText and tailText', () => {
  it('never cut inside a surrogate pair', () => {
    expect(cutText('😀😀', 3)).toBe('😀')
    expect(tailText('😀😀', 3)).toBe('😀')
  })

  it('keep well-formed text well-formed and within the limit', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, units) => {
        for (const cut of [cutText(text, units), tailText(text, units)]) {
          expect(cut.length).toBeLessThanOrEqual(units)
          expect(toWellFormed(cut)).toBe(cut)
        }
      }),
    )
  })
})

describe('toWellFormed', () => {
  it('agrees with the runtime for any text', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0xd700, max: 0xe0ff }), { maxLength: 12 }), (units) => {
        const text = String.fromCharCode(...units)
        expect(toWellFormed(text)).toBe(Buffer.from(text, 'utf8').toString('utf8'))
      }),
    )
  })
})

describe('toPreview', () => {
  it('folds white space and shows control characters as escapes', () => {
    expect(toPreview('a\n\n b\u0007')).toBe('a b\\u0007')
  })

  it('marks what it cut off', () => {
    expect(toPreview('abcdef', 4)).toBe('abc…')
  })
})

describe('nearestName', () => {
  it('finds a misspelt name and nothing for a foreign one', () => {
    const known = ['label', 'schema', 'allowedTools']
    expect([
      nearestName('lable', known),
      nearestName('allowed_tools', known),
      nearestName('temperature', known),
    ]).toEqual(['label', 'allowedTools', undefined])
  })
})

describe('plural', () => {
  it('counts with a noun', () => {
    expect([plural(1, 'agent'), plural(18000, 'token')]).toEqual(['1 agent', '18,000 tokens'])
  })
})
