// Values leave the sandbox as plain JSON copies made inside it, under its own limits: a getter, a proxy or a `toString`
// runs script code here and never in the host. What is no JSON is refused with the path that leads to it.

import type { JsonValue } from '../../shared/index.ts'
import { toWellFormed } from '../../shared/lib/text.ts'
import { describeValue, kindOf } from './describe-value.ts'

export const MAX_DEPTH = 500
/** Of a longer path the beginning and the end are shown. */
const SHOWN_STEPS = 20
/** UTF-16 units of text, with 16 for every value: what a copy may weigh. */
const MAX_WEIGHT = 2 ** 26

/** Why a value can't be copied, as one sentence that names its place: `result.items[3].when is a Date`. */
export class NotJsonError extends Error {
  override readonly name = 'NotJsonError'
}

/**
 * A deep copy as plain JSON data. `root` is what the value is called in messages.
 * Fields whose value is `undefined` are left out and told to `onDropped`. Throws NotJsonError, and whatever a getter throws.
 */
export function copyJson(value: unknown, root: string, onDropped?: (path: string) => void): JsonValue {
  return new Copier(root, onDropped).copy(value)
}

class Copier {
  readonly #root: string
  readonly #onDropped: ((path: string) => void) | undefined
  readonly #path: (string | number)[] = []
  readonly #ancestors: object[] = []
  #weight = 0

  constructor(root: string, onDropped: ((path: string) => void) | undefined) {
    this.#root = root
    this.#onDropped = onDropped
  }

  copy(value: unknown): JsonValue {
    this.#weigh(16)
    switch (typeof value) {
      case 'string':
        this.#weigh(value.length)
        return toWellFormed(value)
      case 'boolean':
        return value
      case 'number':
        if (!Number.isFinite(value)) this.#refuse(`is ${String(value)}`)
        return value === 0 ? 0 : value
      case 'object':
        return value === null ? null : this.#copyObject(value)
      default:
        return this.#refuse(`is ${describeValue(value)}`)
    }
  }

  #copyObject(value: object): JsonValue {
    if (this.#ancestors.includes(value)) this.#refuse('refers back to an object that contains it')
    if (this.#ancestors.length >= MAX_DEPTH) this.#refuse(`is nested deeper than ${MAX_DEPTH} levels`)
    this.#ancestors.push(value)
    const copy = Array.isArray(value) ? this.#copyArray(value) : this.#copyRecord(value)
    this.#ancestors.pop()
    return copy
  }

  #copyArray(value: readonly unknown[]): JsonValue[] {
    if (Object.getPrototypeOf(value) !== Array.prototype)
      this.#refuse(`is ${article(kindOf(value))} and no plain array`)
    const { length } = value
    this.#weigh(length)
    const copy: JsonValue[] = []
    for (let index = 0; index < length; index++) {
      this.#path.push(index)
      const element = value[index]
      if (element === undefined && !Object.hasOwn(value, index)) this.#refuse('is missing: the array has a hole there')
      copy.push(this.copy(element))
      this.#path.pop()
    }
    return copy
  }

  #copyRecord(value: object): JsonValue {
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null) this.#refuse(`is ${describeValue(value)}`)
    const copy: { [key: string]: JsonValue } = {}
    for (const key of Object.keys(value)) {
      this.#path.push(key)
      this.#weigh(key.length)
      const field: unknown = Reflect.get(value, key)
      if (field === undefined) this.#onDropped?.(this.#where())
      else this.#setField(copy, toWellFormed(key), this.copy(field))
      this.#path.pop()
    }
    const symbol = Object.getOwnPropertySymbols(value)[0]
    if (symbol !== undefined) this.#refuse(`has the key ${String(symbol)}, and JSON has no symbols`)
    return copy
  }

  /** An own `__proto__` is data like any other; assigning it would set the prototype instead. */
  #setField(target: { [key: string]: JsonValue }, key: string, value: JsonValue): void {
    if (key.includes('\uFFFD') && Object.hasOwn(target, key))
      this.#refuse('is a key that differs from another one by a lone surrogate only, and JSON has none')
    if (key === '__proto__')
      Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
    else target[key] = value
  }

  #weigh(units: number): void {
    this.#weight += units
    if (this.#weight > MAX_WEIGHT)
      throw new NotJsonError(`${this.#root} is larger than ${MAX_WEIGHT / 2 ** 20} Mi units`)
  }

  #where(): string {
    const steps = this.#path.map(step)
    if (steps.length > SHOWN_STEPS) steps.splice(SHOWN_STEPS / 2, steps.length - SHOWN_STEPS, '…')
    return this.#root + steps.join('')
  }

  #refuse(what: string): never {
    throw new NotJsonError(`${this.#where()} ${what}`)
  }
}

function article(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`
}

function step(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key.slice(0, 60))}]`
}
