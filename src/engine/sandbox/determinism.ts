// `Date` and `Math` as scripts have them: no clock, no randomness, and no local time zone. A run is resumed by running its
// script again, so whatever the script decides has to come out the same; what would break that throws and says what to do.

import { makeScriptError } from './script-error.ts'
import { installUtcDate, parseAsUtc } from './utc-date.ts'

function refuseClock(what: string): never {
  throw makeScriptError(
    'DETERMINISM',
    `${what} is not available in a workflow: resuming a run repeats its script, and the clock would answer differently. ` +
      'Pass a timestamp in `args` and use `new Date(args.now)`.',
  )
}

/** Puts UTC methods on `Date.prototype` and returns the constructor that scripts get, which is its `constructor` too. */
export function installDate(): unknown {
  const FeralDate = Date
  const prototype = FeralDate.prototype
  installUtcDate(prototype)

  const SandboxDate = function Date(this: unknown, ...given: unknown[]): unknown {
    if (new.target === undefined) return refuseClock('Date() without arguments')
    if (given.length === 0) return refuseClock('new Date() without arguments')
    const time = given.length === 1 ? toTime(given[0]) : Reflect.apply(FeralDate.UTC, FeralDate, given)
    return Reflect.construct(FeralDate, [time], new.target)
  }
  const methods = {
    now: (): never => refuseClock('Date.now()'),
    parse: (text: unknown): number => parseAsUtc(String(text)),
    UTC: FeralDate.UTC,
  }
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(SandboxDate, name, { value, writable: true, enumerable: false, configurable: true })
  }
  Object.defineProperty(SandboxDate, 'length', { value: 7 })
  Object.defineProperty(SandboxDate, 'prototype', { value: prototype, writable: false })
  Object.defineProperty(prototype, 'constructor', { value: SandboxDate })
  return SandboxDate
}

/** What `new Date(value)` makes of one argument, with text read as UTC where it names no zone. */
function toTime(value: unknown): unknown {
  if (value instanceof Date) return value.getTime()
  const primitive = toPrimitive(value)
  return typeof primitive === 'string' ? parseAsUtc(primitive) : primitive
}

function toPrimitive(value: unknown): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return value
  // The order that ECMAScript gives the hint "default": only the object's own methods decide.
  const exotic: unknown = Reflect.get(value, Symbol.toPrimitive)
  if (typeof exotic === 'function') return Reflect.apply(exotic, value, ['default'])
  for (const name of ['valueOf', 'toString'] as const) {
    const method: unknown = Reflect.get(value, name)
    if (typeof method !== 'function') continue
    const primitive: unknown = Reflect.apply(method, value, [])
    if (typeof primitive !== 'object' && typeof primitive !== 'function') return primitive
  }
  throw new TypeError('Cannot convert object to primitive value')
}

/** `Math` with a `random` that throws. */
export function makeMath(): unknown {
  const { random: _random, ...kept } = Object.getOwnPropertyDescriptors(Math)
  const math: object = Object.create(Object.prototype, kept)
  Object.defineProperty(math, 'random', {
    value: (): never => {
      throw makeScriptError(
        'DETERMINISM',
        'Math.random() is not available in a workflow: resuming a run repeats its script, and chance would decide differently. ' +
          'Vary prompts by index, or pass random numbers in `args`.',
      )
    },
    writable: true,
    enumerable: false,
    configurable: true,
  })
  return math
}
