// Where two JSON values differ, as JSON pointers with one line of each side.

import { canonicalJson, isJsonObject, toPreview, type JsonValue, type ValueChange } from '../../shared/index.ts'

const SHOWN = 50
const LINE_UNITS = 100
/** Deeper than this, values are compared as wholes. */
const DEPTH = 200

export interface ValueDifference {
  same: boolean
  changes: ValueChange[]
  more: number
}

/** `undefined` where a side has no value. Objects are compared by their keys, lists by their places. */
export function compareValues(a: JsonValue | undefined, b: JsonValue | undefined): ValueDifference {
  const found = { changes: [] as ValueChange[], count: 0 }
  walk('', a, b, 0, found)
  return { same: found.count === 0, changes: found.changes, more: found.count - found.changes.length }
}

interface Found {
  changes: ValueChange[]
  count: number
}

function walk(pointer: string, a: JsonValue | undefined, b: JsonValue | undefined, depth: number, found: Found): void {
  if (a === b) return
  if (depth < DEPTH && Array.isArray(a) && Array.isArray(b)) {
    for (let i = 0; i < Math.max(a.length, b.length); i++) walk(`${pointer}/${i}`, a[i], b[i], depth + 1, found)
  } else if (depth < DEPTH && isJsonObject(a) && isJsonObject(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
      walk(`${pointer}/${escapeToken(key)}`, own(a, key), own(b, key), depth + 1, found)
  } else if (a === undefined || b === undefined || !equal(a, b)) {
    found.count++
    if (found.changes.length < SHOWN) found.changes.push({ pointer, before: toLine(a), after: toLine(b) })
  }
}

function own(object: { [key: string]: JsonValue }, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function equal(a: JsonValue, b: JsonValue): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b
  return canonicalJson(a) === canonicalJson(b)
}

function toLine(value: JsonValue | undefined): string | null {
  return value === undefined ? null : toPreview(JSON.stringify(value), LINE_UNITS)
}

/** A key as a part of a JSON pointer (RFC 6901). */
function escapeToken(key: string): string {
  return key.replace(/~/g, '~0').replace(/\//g, '~1')
}
