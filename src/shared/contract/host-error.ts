// The one shape in which a failed HostApi call crosses a process.

import type { Diagnostic } from '../model/meta.ts'

export type HostErrorCode =
  | 'BAD_REQUEST'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'SCRIPT_REFUSED'
  | 'BACKEND_UNAVAILABLE'
  | 'NOT_ALLOWED'
  | 'VERSION_MISMATCH'
  | 'CLOSED'
  | 'INTERNAL'

export interface HostErrorBody {
  code: HostErrorCode
  message: string
  /** With SCRIPT_REFUSED: what is wrong with the script. */
  diagnostics?: Diagnostic[]
  /** With BAD_REQUEST: every violation. */
  violations?: string[]
}

export class HostError extends Error {
  override readonly name = 'HostError'
  readonly code: HostErrorCode
  readonly diagnostics: readonly Diagnostic[]
  readonly violations: readonly string[]

  constructor(body: HostErrorBody, options?: ErrorOptions) {
    super(body.message, options)
    this.code = body.code
    this.diagnostics = body.diagnostics ?? []
    this.violations = body.violations ?? []
  }

  toBody(): HostErrorBody {
    return {
      code: this.code,
      message: this.message,
      ...(this.diagnostics.length > 0 && { diagnostics: [...this.diagnostics] }),
      ...(this.violations.length > 0 && { violations: [...this.violations] }),
    }
  }
}
