// How a file's dry runs are made: which calls fail, by which seed, with whose answers. Remembered by file.

import { isJsonObject, type HostCalls } from '../../../shared/index.ts'

export type Simulation = NonNullable<HostCalls['run.dryRun']['params']['simulation']>

/** The dialog's fields as text. */
export interface DryRunForm {
  /** Percent of calls that fail. */
  failRate: string
  /** Labels or call paths that fail. */
  failCalls: readonly string[]
  seed: string
  /** A run's id; empty for made-up answers. */
  answersFromRun: string
  permissions: 'allow-once' | 'reject'
}

export const STANDARD_DRY_RUN: DryRunForm = {
  failRate: '',
  failCalls: [],
  seed: '',
  answersFromRun: '',
  permissions: 'allow-once',
}

export function checkDryRunForm(form: DryRunForm): {
  simulation: Simulation
  errors: Partial<Record<'failRate' | 'seed', string>>
} {
  const simulation: Simulation = {}
  const errors: Partial<Record<'failRate' | 'seed', string>> = {}
  if (form.failRate.trim() !== '') {
    const percent = Number(form.failRate)
    if (percent >= 0 && percent <= 100) simulation.failRate = percent / 100
    else errors.failRate = 'A number from 0 to 100.'
  }
  if (form.seed.trim() !== '') {
    const seed = Number(form.seed)
    if (Number.isSafeInteger(seed) && seed >= 0) simulation.seed = seed
    else errors.seed = 'A whole number from 0 on.'
  }
  if (form.failCalls.length > 0) simulation.failCalls = [...form.failCalls]
  if (form.answersFromRun !== '') simulation.answersFromRun = form.answersFromRun
  if (form.permissions === 'reject') simulation.permissions = 'reject'
  return { simulation, errors }
}

/** What is out of the ordinary, in words; empty for a plain dry run. */
export function describeSimulation(form: DryRunForm): string[] {
  const { simulation } = checkDryRunForm(form)
  const words: string[] = []
  if (simulation.failRate) words.push(`${Math.round(simulation.failRate * 100)}% of calls fail`)
  if (simulation.failCalls) words.push(`fails: ${simulation.failCalls.join(', ')}`)
  if (simulation.seed !== undefined) words.push(`seed ${simulation.seed}`)
  if (simulation.answersFromRun !== undefined) words.push(`answers from run ${simulation.answersFromRun.slice(-6)}`)
  if (simulation.permissions === 'reject') words.push('permissions rejected')
  return words
}

/** The form from what was remembered; anything else is the standard. */
export function recallDryRun(value: unknown): DryRunForm {
  if (!isJsonObject(value)) return STANDARD_DRY_RUN
  const text = (name: string): string => (typeof value[name] === 'string' ? value[name] : '')
  const calls = value['failCalls']
  return {
    failRate: text('failRate'),
    failCalls: Array.isArray(calls) ? calls.filter((call) => typeof call === 'string') : [],
    seed: text('seed'),
    answersFromRun: text('answersFromRun'),
    permissions: value['permissions'] === 'reject' ? 'reject' : 'allow-once',
  }
}
