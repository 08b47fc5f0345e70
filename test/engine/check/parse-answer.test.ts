import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAnswer } from '../../../src/engine/check/parse-answer.ts'

const valueOf = (text: string): unknown => {
  const parsed = parseAnswer(text)
  return parsed.ok ? parsed.value : parsed.error
}

describe('JSON in an answer', () => {
  it.each([
    ['alone', '{"a":1}', { a: 1 }],
    ['a bare value', ' "x" ', 'x'],
    ['null', 'null', null],
    ['after a byte order mark', '\uFEFF{"a":1}', { a: 1 }],
    ['in a fence', 'Here you are:\n```json\n{"a":1}\n```\nDone.', { a: 1 }],
    ['in a fence without a language', '```\n[1,2]\n```', [1, 2]],
    ['in a fence with tildes', '~~~json\n{"a":1}\n~~~', { a: 1 }],
    ['in a fence with CRLF', 'x\r\n```json\r\n{"a":1}\r\n```\r\n', { a: 1 }],
    ['in the last of several fences', '```json\n{"draft":1}\n```\nBetter:\n```json\n{"final":2}\n```', { final: 2 }],
    ['in running text', 'The result is {"a":{"b":"}"}} as asked.', { a: { b: '}' } }],
    ['after brackets that are none', 'Note [sic] {not json} then {"a":1}', { a: 1 }],
    ['before a small citation', '{"answer":"a long enough one"} as in [1]', { answer: 'a long enough one' }],
    ['after an example', 'Like {"a":"x"}. Final: {"a":"y"}', { a: 'y' }],
    ['with a fence in a string', '{"code":"```js\\nx\\n```"}', { code: '```js\nx\n```' }],
    ['with an own __proto__', '{"__proto__":1}', JSON.parse('{"__proto__":1}')],
  ])('is found %s', (_where, text, expected) => {
    expect(valueOf(text)).toEqual(expected)
  })

  it('that is not there is told', () => {
    expect(valueOf('')).toBe('the answer is empty')
    expect(valueOf('I could not do it.')).toBe('the answer holds no JSON')
    expect(valueOf('{"a": undefined}')).toBe('the answer holds no JSON')
  })

  it('is given with its rivals, the best guess first', () => {
    const parsed = parseAnswer('{"a":1} or {"b":2} see [3]')
    expect(parsed.ok && parsed.candidates).toEqual([{ b: 2 }, { a: 1 }, [3]])
  })

  it('is found whatever stands around it', () => {
    const noise = fc.string().map((text) => text.replace(/[[\]{}"`~]/g, ''))
    const value = fc.oneof(
      fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }),
      fc.array(fc.jsonValue(), { minLength: 1 }),
    )
    fc.assert(
      fc.property(noise, value, noise, (before, json, after) => {
        const text = JSON.stringify(json)
        expect(valueOf(`${before}x\n${text}\nx${after}`)).toEqual(JSON.parse(text))
        expect(valueOf(`${before}\n\`\`\`json\n${text}\n\`\`\`\n${after}`)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('is looked for in linear time', () => {
    const started = performance.now()
    for (const piece of ['[', '{', '{"', '```\n', '"', '[1]', '\\"', '{"a":']) valueOf(piece.repeat(100_000))
    expect(performance.now() - started).toBeLessThan(15_000)
  })
})
