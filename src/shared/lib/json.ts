// JSON as a type, and its one canonical form: what keys and caches are hashed over.

export type JsonPrimitive = string | number | boolean | null
export type JsonValue = JsonPrimitive | JsonValue[] | { [key: string]: JsonValue }
export type JsonObject = { [key: string]: JsonValue }

/** True for a plain JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Canonical JSON: object keys sorted by UTF-16 code unit, no white space, fields whose value is `undefined` left out,
 * `-0` written as `0`. Strings are kept byte for byte: neither line ends nor Unicode normalisation forms are changed,
 * because another prompt is another call. Lone surrogates are escaped, as JSON.stringify does.
 *
 * Throws RangeError when nested deeper than the stack allows; callers copy values with a depth limit first.
 */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (isJsonObject(value)) {
    const fields: string[] = []
    for (const key of Object.keys(value).sort()) {
      const field = value[key]
      if (field !== undefined) fields.push(`${JSON.stringify(key)}:${canonicalJson(field)}`)
    }
    return `{${fields.join(',')}}`
  }
  return JSON.stringify(value)
}
