// What a value is, in a few words for messages: "a promise", `the text "abc"`, "an array of 3". Runs inside the sandbox only:
// a proxy may run script code here.

import { toPreview } from '../../shared/lib/text.ts'

const SHOWN_UNITS = 60

/** Never throws; control characters are shown as escapes. */
export function describeValue(value: unknown): string {
  try {
    return describe(value)
  } catch {
    return 'an object that can not be looked at'
  }
}

function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value === '' ? 'an empty text' : `the text ${JSON.stringify(toPreview(value, SHOWN_UNITS))}`
    case 'number':
    case 'boolean':
      return `the ${typeof value} ${String(value)}`
    case 'bigint':
      return 'a BigInt'
    case 'symbol':
      return 'a symbol'
    case 'undefined':
      return 'undefined'
    case 'function':
      return isClass(value) ? 'a class' : 'a function'
    default:
      return value === null ? 'null' : describeObject(value as object) // only objects are left
  }
}

function isClass(value: unknown): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value))
}

function describeObject(value: object): string {
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (value instanceof Promise) return 'a promise'
  if (value instanceof Error) return `an error (${toPreview(value.message, SHOWN_UNITS)})`
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) return 'an object'
  const kind = kindOf(value)
  return `${/^[aeiou]/i.test(kind) ? 'an' : 'a'} ${kind}`
}

/** `Date`, `Map`, the name of its class. */
export function kindOf(value: object): string {
  const tag = Object.prototype.toString.call(value).slice(8, -1)
  if (tag !== 'Object') return toPreview(tag, SHOWN_UNITS)
  const constructor: unknown = Reflect.get(value, 'constructor')
  const name: unknown = typeof constructor === 'function' ? Reflect.get(constructor, 'name') : undefined
  return typeof name === 'string' && name !== '' && name !== 'Object'
    ? toPreview(name, SHOWN_UNITS)
    : 'object of a class'
}
