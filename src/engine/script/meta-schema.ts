// What meta has to look like: one schema for the check; the type is the shared WorkflowMeta.

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { Type, type Static } from 'typebox'
import type { WorkflowMeta } from '../../shared/index.ts'

// At least one character that is no white space.
const Text = Type.String({ pattern: '\\S' })

const PhaseSchema = Type.Object({
  title: Text,
  detail: Type.Optional(Type.String()),
  provider: Type.Optional(Text),
  model: Type.Optional(Text),
})

export const MetaSchema = Type.Object({
  name: Text,
  description: Text,
  whenToUse: Type.Optional(Type.String()),
  phases: Type.Optional(Type.Array(PhaseSchema)),
})

export const META_FIELDS = Object.keys(MetaSchema.properties)
export const PHASE_FIELDS = Object.keys(PhaseSchema.properties)

// Fails to compile when schema and type part ways.
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never
export const SCHEMA_MATCHES_TYPE: Same<Static<typeof MetaSchema>, WorkflowMeta> = true

let validator: ValidateFunction | undefined

/** Every violation; empty when `value` is a WorkflowMeta. */
export function findMetaViolations(value: unknown): ErrorObject[] {
  // Compiled on first use: a worker that only validates answers need not pay for it.
  validator ??= new Ajv({ allErrors: true, strict: true, verbose: true }).compile(MetaSchema)
  return validator(value) ? [] : (validator.errors ?? [])
}
