// A run's options with their defaults; a number that makes no sense is refused, never bent.

import { availableParallelism, cpus } from 'node:os'
import type { EngineOptions, StartRunOptions } from '../engine.ts'
import { WorkflowError } from '../errors.ts'
import type { RunSettings } from './context.ts'

export const DEFAULT_CANCEL_GRACE_MS = 5000
const DEFAULT_MAX_AGENTS = 1000
const MOST_CONCURRENT = 256

/** `min(16, cores - 2)`, at least 1. */
export function defaultConcurrency(): number {
  // Missing from Node before 18.14.
  const cores = typeof availableParallelism === 'function' ? availableParallelism() : cpus().length
  return Math.max(1, Math.min(16, cores - 2))
}

/** Throws WorkflowError INVALID_ARGUMENT. */
export function readSettings(engine: EngineOptions, run: StartRunOptions): RunSettings {
  return {
    maxConcurrentAgents: whole(
      'maxConcurrentAgents',
      run.maxConcurrentAgents,
      defaultConcurrency(),
      1,
      MOST_CONCURRENT,
    ),
    maxAgents: whole('maxAgents', run.maxAgents, DEFAULT_MAX_AGENTS, 1),
    budgetTokens: run.budgetTokens === undefined ? null : whole('budgetTokens', run.budgetTokens, 1, 1),
    structuredOutputRetries: whole('structuredOutputRetries', run.structuredOutputRetries, 5, 0),
    agentRetries: whole('agentRetries', run.agentRetries, 2, 0),
    stallSeconds: atLeast('stallSeconds', run.stallSeconds, 600),
    cancelGraceMs: atLeast('cancelGraceMs', engine.cancelGraceMs, DEFAULT_CANCEL_GRACE_MS),
  }
}

function whole(name: string, given: number | undefined, standard: number, least: number, most?: number): number {
  const value = given ?? standard
  const fits = Number.isSafeInteger(value) && value >= least && (most === undefined || value <= most)
  if (fits) return value
  const range = most === undefined ? `${least} or more` : `from ${least} to ${most}`
  throw new WorkflowError('INVALID_ARGUMENT', `${name} has to be a whole number, ${range}, got ${String(value)}`)
}

function atLeast(name: string, given: number | undefined, standard: number): number {
  const value = given ?? standard
  if (Number.isFinite(value) && value > 0) return value
  throw new WorkflowError('INVALID_ARGUMENT', `${name} has to be a number above 0, got ${String(value)}`)
}
