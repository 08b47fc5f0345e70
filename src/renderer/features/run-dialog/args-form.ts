// The args form's entries as text, and the JSON that they mean. Rules are the schema's simple ones; the script has the last
// word. Pure, so that every wrong entry can be tested.

import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/index.ts'
import { valueText } from '../../state/value-text.ts'
import type { ArgsField } from './args-fields.ts'

/** By the field's key: text as typed, a switch's state, choices as JSON texts. */
export type ArgsEntries = Readonly<Record<string, string>>

export interface ReadForm {
  args: JsonObject
  /** By the field's key. */
  errors: Readonly<Record<string, string>>
}

export const NEEDED = 'Needed.'

/** Entries that show a value; null when the value has what the form has no place for. */
export function entriesOf(fields: readonly ArgsField[], value: JsonValue | undefined): ArgsEntries | null {
  if (value !== undefined && !isJsonObject(value)) return null
  const names = fields.map(({ path }) => path.at(-1))
  if (value !== undefined && Object.keys(value).some((name) => !names.includes(name))) return null
  const entries: Record<string, string> = {}
  for (const field of fields) {
    const given = value?.[field.path.at(-1) ?? '']
    // Defaults are shown for a new form only: what was left out on purpose stays out.
    const shown = value === undefined ? field.default : given
    if (field.kind === 'group') {
      const inner = entriesOf(field.fields, shown)
      if (inner === null) return null
      Object.assign(entries, inner)
    } else if (shown !== undefined) {
      const text = textOf(field, shown)
      if (text === null) return null
      entries[field.key] = text
    }
  }
  return entries
}

function textOf(field: ArgsField, value: JsonValue): string | null {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? value : null
    case 'number':
      return typeof value === 'number' ? String(value) : null
    case 'boolean':
      return typeof value === 'boolean' ? String(value) : null
    case 'list':
      if (!Array.isArray(value) || value.some((item) => typeof item === 'object' || String(item).includes('\n')))
        return null
      return value.map(valueText).join('\n')
    default:
      return JSON.stringify(value)
  }
}

/** The args that the entries mean; to be used only without errors. */
export function readForm(fields: readonly ArgsField[], entries: ArgsEntries): ReadForm {
  const errors: Record<string, string> = {}
  return { args: readFields(fields, entries, errors) ?? {}, errors }
}

function readFields(
  fields: readonly ArgsField[],
  entries: ArgsEntries,
  errors: Record<string, string>,
): JsonObject | undefined {
  const read = fields.flatMap((field): [string, JsonValue][] => {
    const value = readField(field, entries, errors)
    return value === undefined ? [] : [[field.path.at(-1) ?? '', value]]
  })
  return read.length === 0 ? undefined : Object.fromEntries(read)
}

function readField(field: ArgsField, entries: ArgsEntries, errors: Record<string, string>): JsonValue | undefined {
  if (field.kind === 'group') {
    const isUsed = field.required || hasEntries(field.fields, entries)
    if (!isUsed) return undefined
    return readFields(field.fields, entries, errors) ?? (field.required ? {} : undefined)
  }
  const text = entries[field.key]
  if (text === undefined || (text === '' && !(field.kind === 'text' && field.schema['minLength'] === 0))) {
    if (field.required && field.kind === 'boolean') return false
    if (field.required) errors[field.key] = NEEDED
    return undefined
  }
  const read = parseEntry(field, text)
  const error = typeof read === 'object' && 'error' in read ? read.error : violationOf(field, read.value)
  if (error !== undefined) errors[field.key] = error
  return 'value' in read ? read.value : undefined
}

function hasEntries(fields: readonly ArgsField[], entries: ArgsEntries): boolean {
  return fields.some((field) =>
    field.kind === 'group' ? hasEntries(field.fields, entries) : (entries[field.key] ?? '') !== '',
  )
}

type Parsed = { value: JsonValue } | { error: string }

function parseEntry(field: ArgsField, text: string): Parsed {
  switch (field.kind) {
    case 'text':
      return { value: text }
    case 'number':
      return parseNumber(text)
    case 'boolean':
      return { value: text === 'true' }
    case 'list': {
      const lines = text.split('\n').filter((line) => line.trim() !== '')
      if (field.items === 'text') return { value: lines }
      const numbers = lines.map(parseNumber)
      const wrong = numbers.find((number) => 'error' in number)
      return wrong ?? { value: numbers.flatMap((number) => ('value' in number ? [number.value] : [])) }
    }
    default:
      try {
        // JSON.parse makes JSON values.
        return { value: JSON.parse(text) as JsonValue }
      } catch (error) {
        return { error: `Not JSON: ${error instanceof Error ? error.message : String(error)}` }
      }
  }
}

function parseNumber(text: string): Parsed {
  const value = Number(text)
  return text.trim() !== '' && Number.isFinite(value) ? { value } : { error: `Not a number: ${text.trim()}` }
}

/** What a value breaks of its schema, by the keywords that a form can speak of. */
function violationOf({ schema }: ArgsField, value: JsonValue): string | undefined {
  const limit = (name: string): number | undefined => (typeof schema[name] === 'number' ? schema[name] : undefined)
  const below = (size: number, name: string): number | undefined => {
    const least = limit(name)
    return least !== undefined && size < least ? least : undefined
  }
  const above = (size: number, name: string): number | undefined => {
    const most = limit(name)
    return most !== undefined && size > most ? most : undefined
  }
  if (typeof value === 'number') {
    if (schema['type'] === 'integer' && !Number.isInteger(value)) return 'A whole number.'
    const bounds = [
      [below(value, 'minimum'), 'At least'],
      [above(value, 'maximum'), 'At most'],
      [value <= (limit('exclusiveMinimum') ?? -Infinity) ? limit('exclusiveMinimum') : undefined, 'More than'],
      [value >= (limit('exclusiveMaximum') ?? Infinity) ? limit('exclusiveMaximum') : undefined, 'Less than'],
    ] as const
    const broken = bounds.find(([bound]) => bound !== undefined)
    return broken && `${broken[1]} ${broken[0]}.`
  }
  if (typeof value === 'string') {
    const { length } = Array.from(value)
    const least = below(length, 'minLength')
    if (least !== undefined) return least === 1 ? 'Not empty.' : `At least ${least} characters.`
    const most = above(length, 'maxLength')
    if (most !== undefined) return `At most ${most} characters.`
    return matches(schema['pattern'], value) ? undefined : `Has to match ${valueText(schema['pattern'] ?? '')}.`
  }
  if (Array.isArray(value)) {
    const least = below(value.length, 'minItems')
    if (least !== undefined) return `At least ${least}.`
    const most = above(value.length, 'maxItems')
    if (most !== undefined) return `At most ${most}.`
    if (schema['uniqueItems'] === true && new Set(value.map((item) => JSON.stringify(item))).size < value.length)
      return 'Each only once.'
    return itemViolation(schema['items'], value)
  }
  return undefined
}

function itemViolation(items: JsonValue | undefined, values: readonly JsonValue[]): string | undefined {
  if (!isJsonObject(items)) return undefined
  const base = { key: '', name: '', path: [], description: '', required: false, default: undefined }
  for (const value of values) {
    const violation = violationOf({ ...base, kind: 'json', schema: items }, value)
    if (violation !== undefined) return `${JSON.stringify(value)}: ${violation}`
  }
  return undefined
}

function matches(pattern: JsonValue | undefined, value: string): boolean {
  if (typeof pattern !== 'string') return true
  try {
    return new RegExp(pattern, 'u').test(value)
  } catch {
    // A broken pattern is marked in the schema's own tab.
    return true
  }
}
