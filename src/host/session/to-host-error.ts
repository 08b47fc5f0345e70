// Whatever goes wrong in a call reaches its caller in one shape; what nobody foresaw is logged besides.

import { HostError, type HostErrorCode } from '../../shared/index.ts'
import { ScriptRefusedError, WorkflowError, type Logger } from '../../engine/index.ts'

export function toHostError(error: unknown, call: string, logger: Logger): HostError {
  if (error instanceof HostError) return error
  if (error instanceof ScriptRefusedError) {
    const body = { code: 'SCRIPT_REFUSED' as const, message: error.message, diagnostics: [...error.diagnostics] }
    return new HostError(body, { cause: error })
  }
  if (error instanceof WorkflowError) {
    const code: HostErrorCode = error.code === 'UNKNOWN_WORKFLOW' ? 'NOT_FOUND' : 'BAD_REQUEST'
    return new HostError({ code, message: error.message }, { cause: error })
  }
  logger.error(`${call} failed`, { error })
  const message = error instanceof Error ? error.message : String(error)
  return new HostError({ code: 'INTERNAL', message: `${call} failed: ${message}` }, { cause: error })
}
