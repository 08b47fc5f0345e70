// Errors that a script sees, and the ones that refuse a script before anything runs.

import type { Diagnostic, WorkflowErrorCode } from '../shared/index.ts'

/** Fatal errors pass through `parallel` and `pipeline`, so that a typo never dissolves into a null. */
const FATAL: ReadonlySet<WorkflowErrorCode> = new Set([
  'INVALID_ARGUMENT',
  'UNKNOWN_OPTION',
  'UNSUPPORTED_OPTION',
  'SCHEMA_INVALID',
  'AGENT_CAP',
  'ITEM_CAP',
  'DETERMINISM',
  'RESULT_NOT_JSON',
  'AGENT_START',
  'CANCELLED',
])

export function isFatalCode(code: WorkflowErrorCode): boolean {
  return FATAL.has(code)
}

/** Misuse of a hook, a cap, a refused call: `name`, `code` and `fatal` are what scripts may rely on. */
export class WorkflowError extends Error {
  override readonly name = 'WorkflowError'
  readonly code: WorkflowErrorCode
  readonly fatal: boolean

  constructor(code: WorkflowErrorCode, message: string, options?: ErrorOptions & { fatal?: boolean }) {
    super(message, options)
    this.code = code
    this.fatal = options?.fatal ?? isFatalCode(code)
  }
}

/** A script that can't run: every finding with its place. Nothing was started. */
export class ScriptRefusedError extends Error {
  override readonly name = 'ScriptRefusedError'
  readonly code: 'SCRIPT_PARSE' | 'META_INVALID'
  readonly fileName: string
  readonly diagnostics: readonly Diagnostic[]

  constructor(code: 'SCRIPT_PARSE' | 'META_INVALID', fileName: string, diagnostics: readonly Diagnostic[]) {
    const errors = diagnostics.filter((d) => d.severity === 'error')
    super(
      errors.map((d) => `${fileName}:${d.line}:${d.column}: ${d.message}${d.hint ? ` (${d.hint})` : ''}`).join('\n'),
    )
    this.code = code
    this.fileName = fileName
    this.diagnostics = diagnostics
  }
}
