// A JSON Schema for args as form fields: strings, numbers, booleans, choices, lists of those, and objects of all of them.
// Whatever else a schema says is written as JSON in its field. Pure.

import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/index.ts'

interface FieldBase {
  /** The key of its value in the form: the path, joined. */
  key: string
  name: string
  path: readonly string[]
  description: string
  required: boolean
  default: JsonValue | undefined
  schema: JsonObject
}

export type ArgsField = FieldBase &
  (
    | { kind: 'text' | 'number' | 'boolean' | 'json' }
    | { kind: 'choice'; choices: readonly JsonValue[] }
    /** One item a line. */
    | { kind: 'list'; items: 'text' | 'number' }
    | { kind: 'choices'; choices: readonly JsonValue[] }
    | { kind: 'group'; fields: readonly ArgsField[] }
  )

const DEEPEST = 4

/** The fields of a schema; null where it is not about an object with known properties. */
export function fieldsOf(schema: JsonValue | null, path: readonly string[] = []): ArgsField[] | null {
  if (!isJsonObject(schema) || !isJsonObject(schema['properties'])) return null
  const names = Object.entries(schema['properties'])
  if (names.length === 0 || path.length > DEEPEST) return null
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return names.map(([name, property]) =>
    fieldOf(name, isJsonObject(property) ? property : {}, path, required.includes(name)),
  )
}

function fieldOf(name: string, schema: JsonObject, parent: readonly string[], required: boolean): ArgsField {
  const path = [...parent, name]
  const base: FieldBase = {
    key: path.join('\u0000'),
    name: typeof schema['title'] === 'string' ? schema['title'] : name,
    path,
    description: typeof schema['description'] === 'string' ? schema['description'] : '',
    required,
    default: schema['default'],
    schema,
  }
  if (Array.isArray(schema['enum'])) return { ...base, kind: 'choice', choices: schema['enum'] }
  switch (schema['type']) {
    case 'string':
      return { ...base, kind: 'text' }
    case 'number':
    case 'integer':
      return { ...base, kind: 'number' }
    case 'boolean':
      return { ...base, kind: 'boolean' }
    case 'array':
      return { ...base, ...listOf(schema['items']) }
    case 'object': {
      const fields = fieldsOf(schema, path)
      return fields === null ? { ...base, kind: 'json' } : { ...base, kind: 'group', fields }
    }
    default:
      return { ...base, kind: 'json' }
  }
}

function listOf(items: JsonValue | undefined) {
  if (!isJsonObject(items)) return { kind: 'json' } as const
  if (Array.isArray(items['enum'])) return { kind: 'choices', choices: items['enum'] } as const
  if (items['type'] === 'string') return { kind: 'list', items: 'text' } as const
  if (items['type'] === 'number' || items['type'] === 'integer') return { kind: 'list', items: 'number' } as const
  return { kind: 'json' } as const
}

/** All fields, those within groups in their places. */
export function flatten(fields: readonly ArgsField[]): ArgsField[] {
  return fields.flatMap((field) => (field.kind === 'group' ? [field, ...flatten(field.fields)] : [field]))
}
