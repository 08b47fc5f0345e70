// The envelope of a command that never got as far as a run: the shape of a run's, so that a machine reads one thing only.

import type { Diagnostic, RunEnvelope, RunErrorCode } from '../../shared/index.ts'
import type { CliError, CliErrorCode } from '../errors.ts'

const RUN_CODE: Record<CliErrorCode, RunErrorCode> = {
  USAGE: 'INVALID_ARGUMENT',
  NOT_FOUND: 'UNKNOWN_WORKFLOW',
  // A run that is live, not paused, has no result: nothing is wrong with a script.
  REFUSED: 'INVALID_ARGUMENT',
  UNAVAILABLE: 'AGENT_START',
  FAILED: 'INTERNAL',
}

export function toErrorEnvelope(error: CliError): RunEnvelope {
  const found = error.diagnostics.find((diagnostic) => diagnostic.severity === 'error')
  const file = error.script?.file
  return {
    runId: null,
    workflow: null,
    outcome: 'error',
    degraded: false,
    result: null,
    error: {
      code: found ? codeOf(found) : RUN_CODE[error.code],
      message: error.message,
      ...(file !== undefined && { file }),
      ...(found && { line: found.line, column: found.column }),
    },
    agentsStarted: 0,
    calls: { completed: 0, failed: 0, skipped: 0, cancelled: 0, replayed: 0 },
    usage: { inputTokens: 0, outputTokens: 0, costUsd: null, replayedOutputTokens: 0 },
    durationMs: 0,
    scriptPath: file ?? null,
    simulated: false,
    warnings: [],
  }
}

const codeOf = ({ code }: Diagnostic): RunErrorCode => (code.startsWith('meta/') ? 'META_INVALID' : 'SCRIPT_PARSE')
