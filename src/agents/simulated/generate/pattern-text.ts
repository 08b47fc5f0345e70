// Strings for a `pattern`, where json-schema-faker's own do not match it: with a length asked for beside it, with Unicode
// property escapes, with look-aheads. Runs in the answer worker, where a pattern that backtracks for ever costs its time limit.

import { generateSync } from 'json-schema-faker'
import type { Random } from '../random.ts'

const TRIES = 60

// What a class of letters is to the generator, which knows no Unicode property escapes.
const PROPERTY_CLASSES: readonly (readonly [RegExp, string])[] = [
  [/\\p\{(L|Letter|Alphabetic|Ll|Lowercase_Letter)\}/g, 'a-z'],
  [/\\p\{(Lu|Uppercase_Letter)\}/g, 'A-Z'],
  [/\\p\{(N|Nd|Number)\}/g, '0-9'],
]

export function matchesPattern(text: string, pattern: string, minLength: number, maxLength: number): boolean {
  const length = Array.from(text).length
  if (length < minLength || length > maxLength) return false
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    // Not every pattern that people write is one in Unicode mode.
    return new RegExp(pattern).test(text)
  }
}

/** Undefined when no try matched. Throws SyntaxError for what is no regular expression. */
export function toPatternText(
  pattern: string,
  minLength: number,
  maxLength: number,
  random: Random,
): string | undefined {
  const variants = toVariants(replaceProperties(pattern), minLength, maxLength)
  for (let n = 0; n < TRIES; n++) {
    const variant = variants[n % variants.length] ?? pattern
    const text = generateSync({ type: 'string', pattern: variant }, { seed: Math.floor(random() * 2 ** 31) })
    if (typeof text === 'string' && matchesPattern(text, pattern, minLength, maxLength)) return text
  }
  return undefined
}

function replaceProperties(pattern: string): string {
  let replaced = pattern
  for (const [property, characters] of PROPERTY_CLASSES) {
    replaced = replaced.replace(property, (match, _name: string, at: number) =>
      isInClass(replaced, at) ? characters : `[${characters}]`,
    )
  }
  return replaced
}

function isInClass(pattern: string, at: number): boolean {
  let inside = false
  for (let n = 0; n < at; n++) {
    if (pattern[n] === '\\') n++
    else if (pattern[n] === '[') inside = true
    else if (pattern[n] === ']') inside = false
  }
  return inside
}

// The pattern itself, and with each open-ended quantifier in turn asked for as many repeats as the length needs.
function toVariants(pattern: string, minLength: number, maxLength: number): string[] {
  const variants = [pattern]
  if (minLength === 0 && maxLength === Infinity) return variants
  const most = Math.min(maxLength, Math.max(minLength, 1) * 2)
  for (let n = 0; n < pattern.length; n++) {
    if (pattern[n] === '\\') {
      n++
      continue
    }
    const open = /^(?:[+*]|\{\d+,\})\??/.exec(pattern.slice(n))?.[0]
    if (open === undefined || isInClass(pattern, n)) continue
    for (const least of [minLength, Math.max(0, minLength - 5), Math.floor(minLength / 2)]) {
      variants.push(`${pattern.slice(0, n)}{${least},${Math.max(least, most)}}${pattern.slice(n + open.length)}`)
    }
    n += open.length - 1
  }
  return variants
}
