// What follows a failed attempt: another one after a while, a pause of the whole run, or the end of the call.

import type { CallKey, FailureKind } from '../../shared/index.ts'

export type NextStep = { kind: 'retry'; delayMs: number } | { kind: 'pause' } | { kind: 'fail' }

const FIRST_BACKOFF_MS = 1000
const MAX_BACKOFF_MS = 60_000
const CRASH_DELAY_MS = [500, 2000] as const
/** A limit that is said to be lifted later than this is waited for by the run, not by one call. */
export const MAX_RETRY_AFTER_MS = 120_000

export interface FailureHistory {
  failure: FailureKind
  /** Earlier attempts of this call that failed in the same way. */
  sameBefore: number
  key: CallKey
  attempt: number
  agentRetries: number
  now: number
  retryAt?: number
}

export function decideNext(history: FailureHistory): NextStep {
  const { failure, sameBefore } = history
  switch (failure) {
    case 'transient':
      return sameBefore < history.agentRetries ? { kind: 'retry', delayMs: backoff(history) } : { kind: 'fail' }
    case 'crashed': {
      const [least, most] = CRASH_DELAY_MS
      return sameBefore < 1 ? { kind: 'retry', delayMs: least + spread(history) * (most - least) } : { kind: 'fail' }
    }
    case 'stalled':
      return sameBefore < 1 ? { kind: 'retry', delayMs: 0 } : { kind: 'fail' }
    case 'quota':
    case 'auth':
    case 'credit':
      return { kind: 'pause' }
    default:
      return { kind: 'fail' }
  }
}

function backoff(history: FailureHistory): number {
  const doubled = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** history.sameBefore)
  const jittered = Math.round(doubled * (0.5 + spread(history) / 2))
  const asked = history.retryAt === undefined ? 0 : Math.min(MAX_RETRY_AFTER_MS, history.retryAt - history.now)
  // Those who were told the same time do not all come back in the same moment.
  return asked > 0 ? asked + Math.round(jittered / 4) : jittered
}

/** 0–1, different for each call and attempt and the same each time: a dry run has to repeat itself. */
function spread({ key, attempt }: FailureHistory): number {
  return ((Number.parseInt(key.slice(0, 8), 16) + attempt * 0x9e3779b9) >>> 0) / 2 ** 32
}
