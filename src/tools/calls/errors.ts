// Whatever goes wrong in a call reaches the harness's model as words, so that it can do something about it.

import { HostError, type Diagnostic } from '../../shared/index.ts'
import { fail, type ToolResult } from '../results/tool-result.ts'
import { InputError } from './read-input.ts'

/** Nothing was started: a text for errors that come before a run. Rethrows what nobody foresaw. */
export function toErrorResult(error: unknown): ToolResult {
  if (error instanceof InputError) return fail([`Error: ${error.violations.join('\n')}`])
  if (!(error instanceof HostError)) throw error
  if (error.code === 'SCRIPT_REFUSED' && error.diagnostics.length > 0)
    return fail([`Error: the script was refused, nothing was started:\n${describeDiagnostics(error.diagnostics)}`])
  return fail([`Error: ${error.message}`])
}

/** One line for each finding, with its place. */
export function describeDiagnostics(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .map(({ line, column, severity, message, hint }) => `${line}:${column} ${severity}: ${message}${toHint(hint)}`)
    .join('\n')
}

function toHint(hint: string | undefined): string {
  return hint === undefined ? '' : ` (${hint})`
}
