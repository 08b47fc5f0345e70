// What the parts of one run share.

import type { RunError, RunId } from '../../shared/index.ts'
import type { StartRunOptions } from '../engine.ts'
import type { RunPorts } from '../engine.ts'
import type { Clock, Logger } from '../ports.ts'
import type { Breaker } from './breaker.ts'
import type { RunBudget } from './budget.ts'
import type { EventLog } from './event-log.ts'
import type { RunPause } from './pause.ts'
import type { RunPermits } from './permits.ts'
import type { StallWatch } from './stall-watch.ts'
import type { Throttle } from './throttle.ts'

/** A run's options with their defaults. */
export interface RunSettings {
  maxConcurrentAgents: number
  maxAgents: number
  budgetTokens: number | null
  structuredOutputRetries: number
  agentRetries: number
  stallSeconds: number
  cancelGraceMs: number
}

export interface RunContext {
  readonly runId: RunId
  readonly lineage: RunId
  readonly options: StartRunOptions
  readonly settings: RunSettings
  readonly ports: RunPorts
  readonly clock: Clock
  readonly logger: Logger
  readonly log: EventLog
  readonly budget: RunBudget
  readonly permits: RunPermits
  readonly pause: RunPause
  readonly throttle: Throttle
  readonly breaker: Breaker
  readonly stalls: StallWatch
  /** Ends the run: something of the engine's own or of its ports failed. */
  fail(error: RunError): void
}

/** Keeps a virtual clock from advancing while `work` is under way. */
export async function withClockHeld<T>(clock: Clock, work: () => Promise<T>): Promise<T> {
  const release = clock.hold()
  try {
    return await work()
  } finally {
    release()
  }
}
