// Why a command failed: one error class with closed codes, and what each code is to a shell.

import { HostError, type Diagnostic, type HostErrorCode } from '../shared/index.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'

export type CliErrorCode = 'USAGE' | 'NOT_FOUND' | 'REFUSED' | 'UNAVAILABLE' | 'FAILED'

const EXIT_OF: Record<CliErrorCode, ExitCode> = {
  USAGE: EXIT.refused,
  NOT_FOUND: EXIT.refused,
  REFUSED: EXIT.refused,
  UNAVAILABLE: EXIT.refused,
  FAILED: EXIT.error,
}

export interface CliErrorDetails extends ErrorOptions {
  /** With REFUSED: what is wrong with the script, each with its place. */
  diagnostics?: readonly Diagnostic[]
  /** The script that was meant, and its text where it is at hand. */
  script?: { file: string; text?: string }
}

/** A command that could not do what it was asked. `message` may have several lines. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly code: CliErrorCode
  readonly diagnostics: readonly Diagnostic[]
  readonly script: { file: string; text?: string } | undefined

  constructor(code: CliErrorCode, message: string, details: CliErrorDetails = {}) {
    super(message, details)
    this.code = code
    this.diagnostics = details.diagnostics ?? []
    this.script = details.script
  }

  get exitCode(): ExitCode {
    return EXIT_OF[this.code]
  }
}

const FROM_HOST: Record<HostErrorCode, CliErrorCode> = {
  BAD_REQUEST: 'USAGE',
  NOT_FOUND: 'NOT_FOUND',
  CONFLICT: 'REFUSED',
  SCRIPT_REFUSED: 'REFUSED',
  BACKEND_UNAVAILABLE: 'UNAVAILABLE',
  NOT_ALLOWED: 'REFUSED',
  VERSION_MISMATCH: 'FAILED',
  CLOSED: 'FAILED',
  INTERNAL: 'FAILED',
}

/** Whatever was thrown, as a CliError. `script` is the one the call was about. */
export function toCliError(error: unknown, script?: CliErrorDetails['script']): CliError {
  if (error instanceof CliError) return error
  if (error instanceof HostError) {
    const violations = error.violations.filter((violation) => !error.message.includes(violation))
    const message = [error.message, ...violations.map((text) => `  ${text}`)].join('\n')
    const { diagnostics } = error
    return new CliError(FROM_HOST[error.code], message, { cause: error, diagnostics, ...(script && { script }) })
  }
  return new CliError('FAILED', error instanceof Error ? error.message : String(error), { cause: error })
}
