// `WorkflowError` inside a script, and what the engine knows of an error beyond what the script may have written on it.

import type { WorkflowErrorCode } from '../../shared/index.ts'
import { isFatalCode } from '../errors.ts'

export interface ScriptErrorFacts {
  code: WorkflowErrorCode
  fatal: boolean
}

// A brand that no script can forge: `fatal: true` on an error of its own means nothing.
const facts = new WeakMap<object, ScriptErrorFacts>()

/** An error as scripts see it: name `WorkflowError`, `code`, `fatal`. */
export function makeScriptError(code: WorkflowErrorCode, message: string, fatal = isFatalCode(code)): Error {
  const error = new Error(message)
  Object.defineProperties(error, {
    name: { value: 'WorkflowError', enumerable: false, writable: true, configurable: true },
    code: { value: code, enumerable: true, writable: true, configurable: true },
    fatal: { value: fatal, enumerable: true, writable: true, configurable: true },
  })
  facts.set(error, { code, fatal })
  return error
}

/** Undefined for every error that the engine did not make. */
export function factsOf(error: unknown): ScriptErrorFacts | undefined {
  return typeof error === 'object' && error !== null ? facts.get(error) : undefined
}

export function isFatal(error: unknown): boolean {
  return factsOf(error)?.fatal === true
}
