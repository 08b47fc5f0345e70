// JSON from outside may escape half of a surrogate pair ("\ud83d"); sent on, it makes every later request fail.

import { toWellFormed, type JsonValue } from '../shared/index.ts'

const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/

/** Parses JSON text into well-formed strings and keys. Throws SyntaxError. Any depth: it does not recurse. */
export function parseWellFormed(text: string): JsonValue {
  // JSON.parse gives nothing but JSON.
  const value = JSON.parse(text) as JsonValue
  // Decoded UTF-8 is well-formed already: only escapes can hold a lone half.
  return ESCAPED_SURROGATE.test(text) ? repair(value) : value
}

function repair(value: JsonValue): JsonValue {
  const root: JsonValue[] = [value]
  const open: (JsonValue[] | { [key: string]: JsonValue })[] = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (Array.isArray(node)) {
      for (const [index, item] of node.entries()) node[index] = visit(item, open)
      continue
    }
    for (const [key, item] of Object.entries(node)) {
      const name = toWellFormed(key)
      if (name !== key) delete node[key]
      // Defined, not assigned: an own `__proto__` is data.
      Object.defineProperty(node, name, {
        value: visit(item, open),
        writable: true,
        enumerable: true,
        configurable: true,
      })
    }
  }
  return root[0] ?? null
}

function visit(value: JsonValue, open: (JsonValue[] | { [key: string]: JsonValue })[]): JsonValue {
  if (typeof value === 'string') return toWellFormed(value)
  if (typeof value === 'object' && value !== null) open.push(value)
  return value
}
