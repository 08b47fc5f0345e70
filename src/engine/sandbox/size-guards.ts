// A few built-ins make V8 end the whole process, not just the worker, when they are given something enormous ("invalid
// table size", "invalid array length"), and a long native call can't be interrupted. They refuse such input here.

/** UTF-16 units of a text that may be taken apart. */
const MAX_TEXT = 2 ** 26
/** UTF-16 units of a text that may be parsed as JSON: each may become an object. */
const MAX_JSON = 2 ** 25
/** Elements of an array that may be filled or copied in one call. */
const MAX_LENGTH = 2 ** 25

type Method = (this: unknown, ...args: unknown[]) => unknown

const count = (value: number): string => value.toLocaleString('en-US')

function refuseText(what: string, length: number, most: number): void {
  if (length > most)
    throw new RangeError(`${what}: the text is ${count(length)} units long, at most ${count(most)} are taken`)
}

function refuseLength(what: string, length: unknown): void {
  if (Number(length) > MAX_LENGTH)
    throw new RangeError(
      `${what}: ${count(Number(length))} elements are too many, at most ${count(MAX_LENGTH)} are taken`,
    )
}

function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length
  // oxlint-disable-next-line typescript/no-base-to-string -- an object is converted by the built-in just so
  return value === null || value === undefined ? 0 : String(value).length
}

/** Puts `check` in front of a method, keeping its name and length. */
function guard(target: object, name: PropertyKey, check: Method): void {
  const original: unknown = Reflect.get(target, name)
  if (typeof original !== 'function') return
  // A method definition, so that it can't be called with `new`, as built-in methods can't.
  const guarded = {
    method(this: unknown, ...args: unknown[]): unknown {
      Reflect.apply(check, this, args)
      return Reflect.apply(original, this, args)
    },
  }.method
  Object.defineProperty(guarded, 'name', { value: original.name })
  Object.defineProperty(guarded, 'length', { value: original.length })
  Object.defineProperty(target, name, { value: guarded, writable: true, enumerable: false, configurable: true })
}

/** Called between SES's repair and its freeze. */
export function installSizeGuards(): void {
  for (const name of ['split', 'match', 'matchAll', 'replace', 'replaceAll', 'normalize']) {
    guard(String.prototype, name, function (this: unknown) {
      refuseText(`String.prototype.${name}`, textLength(this), MAX_TEXT)
    })
  }
  for (const name of [Symbol.split, Symbol.match, Symbol.matchAll, Symbol.replace]) {
    guard(RegExp.prototype, name, (text) => {
      refuseText(`RegExp.prototype[${String(name)}]`, textLength(text), MAX_TEXT)
    })
  }
  guard(JSON, 'parse', (text) => {
    refuseText('JSON.parse', textLength(text), MAX_JSON)
  })
  guard(Array, 'from', (source) => {
    if (typeof source === 'string') refuseText('Array.from', source.length, MAX_LENGTH)
    else if (typeof source === 'object' && source !== null && !(Symbol.iterator in source))
      refuseLength('Array.from', Reflect.get(source, 'length'))
  })
  const copying = [
    'fill',
    'concat',
    'flat',
    'slice',
    'splice',
    'reverse',
    'sort',
    'map',
    'filter',
    'join',
    'copyWithin',
  ]
  for (const name of [...copying, 'toSorted', 'toReversed', 'toSpliced', 'with', 'unshift', 'shift', 'lastIndexOf']) {
    guard(Array.prototype, name, function (this: unknown) {
      if (typeof this === 'object' && this !== null)
        refuseLength(`Array.prototype.${name}`, Reflect.get(this, 'length'))
    })
  }
}
