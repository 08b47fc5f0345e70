// Which kind of failure an agent's error line is: the kind decides what is retried and what pauses the run.

import type { FailureKind } from '../../shared/index.ts'
import type { AgentMessage } from './messages.ts'

/**
 * `retryable` decides where it is given: a quota that is gone for a second only ("retryable": true) is transient, and a
 * network that won't come back ("retryable": false) is not. Without it, `network` alone is worth another try.
 */
export function classifyFailure(error: Extract<AgentMessage, { type: 'error' }>): FailureKind {
  if (error.failure !== undefined) return error.failure
  if (error.reason === 'refused') return 'refused'
  if (error.reason === 'auth') return 'auth'
  if (error.retryable === true) return 'transient'
  if (error.reason === 'quota') return 'quota'
  return error.reason === 'network' && error.retryable === undefined ? 'transient' : 'other'
}
