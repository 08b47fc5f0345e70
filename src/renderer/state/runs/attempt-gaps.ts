// When an agent's attempts failed and when the next ones began: what the timeline draws inside of a bar.

import type { RunEvent } from '../../../shared/index.ts'

export interface AttemptGap {
  /** The attempt that failed. */
  attempt: number
  failedAt: number
  /** Absent while the next one has not begun. */
  restartedAt?: number
}

/** The gaps after one more event of this agent; the same list when the event says nothing for them. */
export function foldGaps(gaps: readonly AttemptGap[], event: RunEvent): readonly AttemptGap[] {
  if (event.type === 'agent-attempt-failed') return [...gaps, { attempt: event.attempt, failedAt: event.at }]
  const last = gaps.at(-1)
  if (event.type !== 'agent-started' || last === undefined || last.restartedAt !== undefined) return gaps
  return [...gaps.slice(0, -1), { ...last, restartedAt: event.at }]
}
