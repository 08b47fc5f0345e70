// Whatever goes wrong in a call reaches its caller in one shape; what nobody foresaw is logged besides.

import { HostError, type HostErrorCode } from '../../shared/index.ts'
import { AgentsError } from '../../agents/index.ts'
import { ScriptRefusedError, WorkflowError, type Logger } from '../../engine/index.ts'
import { StoreError } from '../../store/index.ts'

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
  if (error instanceof AgentsError) {
    const { message, violations } = error
    return new HostError({ code: 'BAD_REQUEST', message, violations: [...violations] }, { cause: error })
  }
  if (error instanceof StoreError && error.code === 'CLOSED')
    return new HostError({ code: 'CLOSED', message: 'The host is ending' }, { cause: error })
  logger.error(`${call} failed`, { error })
  const message = error instanceof Error ? error.message : String(error)
  return new HostError({ code: 'INTERNAL', message: `${call} failed: ${message}` }, { cause: error })
}
