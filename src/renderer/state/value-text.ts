import type { JsonValue } from '../../shared/index.ts'

/** A JSON value as a person writes it: texts as they are, anything else as JSON. */
export function valueText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
