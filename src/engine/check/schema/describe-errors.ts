// Ajv's errors as sentences that an agent or an author can act on, each with its place in the value.

import type { ErrorObject } from 'ajv'
import { toPreview } from '../../../shared/index.ts'

const MAX_ERRORS = 50
const MAX_VALUE = 80

/** `root` is what the whole value is called; `prefix` stands before each path. */
export function describeErrors(errors: readonly ErrorObject[], root: string, prefix = ''): string[] {
  const lines = new Set<string>()
  for (const error of errors.slice(0, MAX_ERRORS * 4)) {
    // The branches have said why; the summary of `anyOf` and `if` adds nothing when they have.
    const place = prefix + error.instancePath
    lines.add(`${place === '' ? root : place} ${describe(error)}`)
    if (lines.size === MAX_ERRORS) break
  }
  const shown = [...lines]
  if (lines.size === MAX_ERRORS && errors.length > MAX_ERRORS) shown.push(`and ${errors.length - MAX_ERRORS} more`)
  return shown
}

function describe(error: ErrorObject): string {
  const { keyword, message = 'is wrong' } = error
  const parameter = (name: string): unknown => Reflect.get(error.params, name)
  switch (keyword) {
    case 'type':
      return `must be ${list(parameter('type'))}, not ${kindOf(error.data)}`
    case 'required':
      return `lacks the property ${quote(parameter('missingProperty'))}`
    case 'dependentRequired':
    case 'dependencies':
      return `lacks ${String(parameter('deps'))}, which ${quote(parameter('property'))} asks for`
    case 'additionalProperties':
      return `has the property ${quote(parameter('additionalProperty'))}, which is not allowed`
    case 'unevaluatedProperties':
      return `has the property ${quote(parameter('unevaluatedProperty'))}, which is not allowed`
    case 'propertyNames':
      return `has a property whose name is not allowed: ${quote(parameter('propertyName'))}`
    case 'enum':
      return `must be one of ${show(parameter('allowedValues'))}, not ${show(error.data)}`
    case 'const':
      return `must be ${show(parameter('allowedValue'))}, not ${show(error.data)}`
    case 'pattern':
      return `must match the pattern ${String(parameter('pattern'))}`
    case 'format':
      return `must be a valid ${String(parameter('format'))}`
    case 'not':
      return 'must not match what `not` describes'
    case 'false schema':
      return 'is not allowed here'
    case 'oneOf':
      return parameter('passingSchemas') === null
        ? 'matches none of the schemas in oneOf'
        : `matches more than one schema in oneOf: numbers ${list(parameter('passingSchemas'))}`
    case 'anyOf':
      return 'matches none of the schemas in anyOf'
    default:
      // Ajv writes negations in capitals.
      return message.replace('NOT', 'not')
  }
}

function list(value: unknown): string {
  return Array.isArray(value) ? value.join(' or ') : String(value)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}

function quote(value: unknown): string {
  return JSON.stringify(toPreview(String(value), MAX_VALUE))
}

function show(value: unknown): string {
  if (Array.isArray(value)) {
    const shown = value.slice(0, 10).map(show).join(', ')
    return value.length > 10 ? `${shown}, …` : shown
  }
  if (typeof value === 'object' && value !== null) return 'an object'
  return toPreview(JSON.stringify(value) ?? 'undefined', MAX_VALUE)
}
