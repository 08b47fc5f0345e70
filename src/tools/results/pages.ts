// Parts of a JSON value by JSON Pointer (RFC 6901), and pages of its text.

import { cutText, isJsonObject, type JsonValue } from '../../shared/index.ts'

/** The part that `pointer` names, or in words why there is none. */
export function resolvePointer(value: JsonValue, pointer: string): { value: JsonValue } | { problem: string } {
  if (pointer !== '' && !pointer.startsWith('/'))
    return { problem: `pointer has to be empty or begin with "/", not ${JSON.stringify(pointer)}` }
  let current = value
  let path = ''
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    const next = stepInto(current, name)
    if (next === undefined) return { problem: `there is nothing at ${path}/${token}: ${describe(current)}` }
    current = next.value
    path += `/${token}`
  }
  return { value: current }
}

function stepInto(value: JsonValue, name: string): { value: JsonValue } | undefined {
  if (Array.isArray(value)) {
    const item = /^(?:0|[1-9]\d*)$/.test(name) ? value[Number(name)] : undefined
    return item === undefined ? undefined : { value: item }
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined
  const field = value[name]
  return field === undefined ? undefined : { value: field }
}

function describe(value: JsonValue): string {
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (!isJsonObject(value)) return value === null ? 'null' : `a ${typeof value}`
  const names = Object.keys(value)
  return `an object with ${names.length === 0 ? 'no fields' : names.slice(0, 20).join(', ')}`
}

export interface Page {
  text: string
  offset: number
  /** UTF-16 units of the whole text. */
  total: number
  /** Null with the last page. */
  nextOffset: number | null
}

/** At most `limit` UTF-16 units from `offset` on, cut at characters: the pages put together are the text. */
export function pageOf(text: string, offset: number, limit: number): Page {
  const inside = offset > 0 && isLowSurrogate(text.charCodeAt(offset)) ? offset + 1 : offset
  const start = Math.min(inside, text.length)
  // At least one whole character, or a reader would never get on.
  const page = cutText(text.slice(start), Math.max(limit, 2))
  const end = start + page.length
  return { text: page, offset: start, total: text.length, nextOffset: end < text.length ? end : null }
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
