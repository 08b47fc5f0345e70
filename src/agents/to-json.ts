import type { JsonValue } from '../shared/index.ts'

/** What came over the wire as JSON and was given a type by the SDK. */
export function toJson(value: unknown): JsonValue {
  // Nothing else can have come.
  return (value ?? null) as JsonValue
}
