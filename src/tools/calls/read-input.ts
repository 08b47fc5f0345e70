// Arguments of a tool call, read field by field: all that is wrong with them is named at once.

import { isJsonObject, nearestName } from '../../shared/index.ts'

interface FieldTypes {
  string: string
  boolean: boolean
  /** A whole number from 1 on. */
  count: number
  /** A whole number from 0 on. */
  offset: number
  number: number
  any: unknown
}

type Fields = { readonly [name: string]: keyof FieldTypes }

export type Input<F extends Fields> = { [Name in keyof F]?: FieldTypes[F[Name]] }

const WORDS: Record<keyof FieldTypes, string> = {
  string: 'a string that is not empty',
  boolean: 'true or false',
  count: 'a whole number from 1 on',
  offset: 'a whole number from 0 on',
  number: 'a number from 0 on',
  any: 'any JSON',
}

const CHECKS: Record<keyof FieldTypes, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string' && value !== '',
  boolean: (value) => typeof value === 'boolean',
  count: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
  offset: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  number: (value) => typeof value === 'number' && value >= 0,
  any: () => true,
}

/** Bad arguments, in words. */
export class InputError extends Error {
  override readonly name = 'InputError'
  readonly violations: readonly string[]
  constructor(violations: readonly string[]) {
    super(violations.join('; '))
    this.violations = violations
  }
}

/** Throws InputError with every violation. A field that is null counts as left out: some models fill in all of them. */
export function readInput<F extends Fields>(given: unknown, fields: F, required: readonly (keyof F)[] = []): Input<F> {
  const violations: string[] = []
  if (given !== undefined && !isJsonObject(given)) throw new InputError(['the arguments have to be an object'])
  const read: { [name: string]: unknown } = {}
  for (const [name, value] of Object.entries(given ?? {})) {
    const type = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (type === undefined) violations.push(unknownField(name, Object.keys(fields)))
    else if (value !== null && !CHECKS[type](value))
      violations.push(`${name} has to be ${WORDS[type]}, not ${JSON.stringify(value)?.slice(0, 80)}`)
    else if (value !== null || type === 'any') read[name] = value
  }
  for (const name of required) if (!(name in read)) violations.push(`${String(name)} is missing`)
  if (violations.length > 0) throw new InputError(violations)
  // Each field has just been checked against its type.
  return read as Input<F>
}

function unknownField(name: string, known: readonly string[]): string {
  const near = nearestName(name, known)
  if (near !== undefined) return `there is no argument "${name}": did you mean "${near}"?`
  return `there is no argument "${name}": known are ${known.join(', ') || 'none'}`
}

/** A field of `required`, which readInput has made sure of. */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('a required argument is missing')
  return value
}
