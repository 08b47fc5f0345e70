// JSON out of what an agent wrote, for back ends that can be asked for a shape by words alone: text around the JSON, code
// fences and byte order marks are tolerated here and nowhere else.

import type { JsonValue } from '../../shared/index.ts'

export type ParsedAnswer =
  | {
      ok: true
      /** The best guess. */
      value: JsonValue
      /** Every JSON value found, the best guess first: a caller with a schema may try them in turn. */
      candidates: JsonValue[]
    }
  | { ok: false; error: string }

const MAX_CANDIDATES = 20
/** How much may be read in search of closing brackets: text full of opening ones must not cost the square of its length. */
const READING_LIMIT = 2_000_000

export function parseAnswer(text: string): ParsedAnswer {
  const trimmed = text.replace(/^[\s\uFEFF]+|[\s\uFEFF]+$/g, '')
  const whole = parse(trimmed)
  if (whole !== undefined) return { ok: true, value: whole.value, candidates: [whole.value] }
  const candidates = [...fencedValues(trimmed), ...looseValues(trimmed)].slice(0, MAX_CANDIDATES)
  const [value] = candidates
  if (value !== undefined) return { ok: true, value, candidates }
  return { ok: false, error: trimmed === '' ? 'the answer is empty' : 'the answer holds no JSON' }
}

/** Wrapped, as `null` is a value too. */
function parse(text: string): { value: JsonValue } | undefined {
  try {
    // JSON.parse gives JSON.
    return { value: JSON.parse(text) as JsonValue }
  } catch {
    return undefined
  }
}

/** The contents of code fences, last one first: agents think aloud before they answer. */
function fencedValues(text: string): JsonValue[] {
  const values: JsonValue[] = []
  // A fence inside a JSON string has an escaped line end before it, so it never begins a line.
  for (const match of text.matchAll(/^[ \t]*(`{3,}|~{3,})[^\n`]*\n([^]*?)\n?^[ \t]*\1[`~]*[ \t]*$/gm)) {
    const found = parse((match[2] ?? '').trim())
    if (found !== undefined) values.unshift(found.value)
  }
  return values
}

/** Objects and arrays in running text. Of several, later ones come first, but small ones (`[1]`, `{}`) after big ones. */
function looseValues(text: string): JsonValue[] {
  const found: { value: JsonValue; length: number }[] = []
  const openings = /[{[]/g
  let read = 0
  for (let opening = openings.exec(text); opening !== null && read <= READING_LIMIT; opening = openings.exec(text)) {
    const start = opening.index
    const end = closingOf(text, start)
    const parsed = end === undefined ? undefined : parse(text.slice(start, end))
    read += (end ?? text.length) - start
    if (end === undefined || parsed === undefined) continue
    found.push({ value: parsed.value, length: end - start })
    openings.lastIndex = end
  }
  // oxlint-disable-next-line unicorn/no-array-reverse -- our own array, and `toReversed` is too new
  found.reverse()
  const longest = found.reduce((most, { length }) => Math.max(most, length), 0)
  const isBig = ({ length }: { length: number }): boolean => length * 2 >= longest
  return [...found.filter(isBig), ...found.filter((one) => !isBig(one))].map(({ value }) => value)
}

/** The end of the bracketed text that begins at `start`, strings taken as such; undefined when it never ends. */
function closingOf(text: string, start: number): number | undefined {
  let depth = 0
  const tokens = /"(?:[^"\\]|\\[^])*"|[[\]{}]/g
  tokens.lastIndex = start
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const [token] = match
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    if (depth === 0) return match.index + token.length
  }
  return undefined
}
