// The errors that end a run and that no script can catch, in words.

import type { RunError } from '../../shared/index.ts'
import type { SandboxDeath } from '../sandbox/sandbox.ts'

export const WAITS_FOR_NOTHING: RunError = {
  code: 'SCRIPT_WAITS',
  message:
    'the script waits for nothing: no agent and no nested workflow is outstanding, and what it awaits can not settle any more',
}

export function describeDeath(death: SandboxDeath, memoryMiB: number): RunError {
  if (death.kind === 'memory') return memoryError(memoryMiB)
  return { code: 'INTERNAL', message: `the sandbox of the script failed: ${death.message}` }
}

export function memoryError(memoryMiB: number): RunError {
  return { code: 'SCRIPT_MEMORY', message: `the script used more than ${memoryMiB} MiB of memory` }
}

export function toInternalError(error: unknown): RunError {
  return { code: 'INTERNAL', message: error instanceof Error ? error.message : String(error) }
}
