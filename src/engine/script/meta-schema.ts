// What meta has to look like: one schema for the check, and the type that it proves.

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { Static } from 'typebox'

// At least one character that is no white space.
const TEXT = { type: 'string', pattern: '\\S' } as const

const PHASE_SCHEMA = {
  type: 'object',
  required: ['title'],
  properties: { title: TEXT, detail: { type: 'string' }, provider: TEXT, model: TEXT },
} as const

/** Written out rather than built with typebox, whose types it has: building it would triple a worker's start. */
export const META_SCHEMA = {
  type: 'object',
  required: ['name', 'description'],
  properties: {
    name: TEXT,
    description: TEXT,
    whenToUse: { type: 'string' },
    phases: { type: 'array', items: PHASE_SCHEMA },
  },
} as const

export const META_FIELDS = Object.keys(META_SCHEMA.properties)
export const PHASE_FIELDS = Object.keys(PHASE_SCHEMA.properties)

/** What a value without violations is. */
export type CheckedMeta = Static<typeof META_SCHEMA>

let validator: ValidateFunction | undefined

/** Every violation; empty when `value` is a CheckedMeta. */
export function findMetaViolations(value: unknown): ErrorObject[] {
  // Compiled on first use: a worker that only validates answers need not pay for it.
  // Strict mode knows every keyword; the metaschema would say no more, and takes longer than all the rest.
  validator ??= new Ajv({ allErrors: true, strict: true, verbose: true, meta: false, validateSchema: false }).compile(
    META_SCHEMA,
  )
  return validator(value) ? [] : (validator.errors ?? [])
}
