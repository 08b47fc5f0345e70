// The Run dialog's fields as text, and what they mean: pure, so that every wrong entry can be tested.

import type { JsonValue } from '../../../shared/index.ts'
import type { RunRequest } from './run-actions.ts'

export interface RunForm {
  args: string
  /** Empty for the default. */
  backend: string
  budget: string
  concurrency: string
  maxAgents?: string
  model?: string
}

export const EMPTY_FORM: RunForm = { args: '', backend: '', budget: '', concurrency: '' }

export interface CheckedForm {
  /** What is right of it; to be used only without errors. */
  request: RunRequest
  errors: Partial<Record<keyof RunForm, string>>
}

const MOST_AT_ONCE = 256
const MOST_AGENTS = 1000

export function checkForm(form: RunForm): CheckedForm {
  const request: RunRequest = {}
  const errors: CheckedForm['errors'] = {}
  if (form.args.trim() !== '') {
    try {
      // JSON.parse makes JSON values.
      request.args = JSON.parse(form.args) as JsonValue
    } catch (error) {
      errors.args = `Not JSON: ${error instanceof Error ? error.message : String(error)}`
    }
  }
  if (form.backend !== '') request.backend = form.backend
  const budget = checkCount(form.budget, Number.MAX_SAFE_INTEGER)
  if (typeof budget === 'string') errors.budget = budget
  else if (budget !== undefined) request.budgetTokens = budget
  const concurrency = checkCount(form.concurrency, MOST_AT_ONCE)
  if (typeof concurrency === 'string') errors.concurrency = concurrency
  else if (concurrency !== undefined) request.maxConcurrentAgents = concurrency
  const maxAgents = checkCount(form.maxAgents ?? '', MOST_AGENTS)
  if (typeof maxAgents === 'string') errors.maxAgents = maxAgents
  else if (maxAgents !== undefined) request.maxAgents = maxAgents
  const model = form.model?.trim() ?? ''
  if (model !== '') request.model = model
  return { request, errors }
}

/** The number, undefined for an empty field, or what is wrong in words. */
function checkCount(text: string, most: number): number | undefined | string {
  if (text.trim() === '') return undefined
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1) return 'A whole number from 1 on.'
  return count > most ? `At most ${most}.` : count
}
