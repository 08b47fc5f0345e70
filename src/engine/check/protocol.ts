// What goes between a checker and its worker, one message a job and one an answer.

import type { Diagnostic, JsonObject, JsonValue, WorkflowMeta } from '../../shared/index.ts'
import type { PreparedScript } from '../engine.ts'
import type { ScriptText } from '../ports.ts'

/** Schemas travel as their canonical JSON, which is also what they are cached by. */
export interface Jobs {
  analyze: {
    params: { script: ScriptText; workflows: readonly string[] | undefined }
    result: { meta: WorkflowMeta | null; diagnostics: Diagnostic[]; prepared: PreparedScript | undefined }
  }
  compile: {
    params: { schema: string }
    result: SchemaVerdict
  }
  validate: {
    params: { schema: string; value: JsonValue; form: 'plain' | 'wrapped' }
    /** `unwrap`: the value is in the property `value` of what was given. */
    result: { ok: true; unwrap: boolean } | { ok: false; errors: string[] }
  }
}

export type SchemaVerdict =
  | {
      ok: true
      wrapped: boolean
      /** The schema with an object at its root. */
      objectSchema: JsonObject
      /** Unknown keywords and formats, in words. */
      notes: string[]
    }
  | { ok: false; errors: string[] }

export type JobName = keyof Jobs
export type JobRequest = { [Name in JobName]: { job: Name; params: Jobs[Name]['params'] } }[JobName]

export type WorkerMessage =
  | { type: 'ready' }
  | { type: 'done'; result: Jobs[JobName]['result'] }
  /** A fault of the checker itself, not of what it was given. */
  | { type: 'failed'; error: string }
