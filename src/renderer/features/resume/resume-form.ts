// The Resume dialog's fields as text, and what of them differs from the earlier run: only that is asked for.

import type { EarlierRun, ResumeRequest } from '../../state/runs/resuming.ts'
import { checkForm, type CheckedForm, type RunForm } from '../../state/runs/run-form.ts'

export interface ResumeForm extends RunForm {
  script: ResumeRequest['script']
}

export interface CheckedResume {
  /** What is right of it; to be used only without errors. */
  request: ResumeRequest
  errors: CheckedForm['errors']
}

export function formOf(earlier: EarlierRun): ResumeForm {
  return {
    script: 'same',
    args: argsText(earlier),
    backend: '',
    budget: earlier.budgetTokens === null ? '' : String(earlier.budgetTokens),
    concurrency: '',
  }
}

export function checkResume(form: ResumeForm, earlier: EarlierRun): CheckedResume {
  const { request, errors } = checkForm(form)
  // A back end that is named anew would lose the model that the earlier run was given.
  if (request.backend === earlier.backend) delete request.backend
  if (form.args === argsText(earlier)) delete request.args
  if (request.budgetTokens === earlier.budgetTokens) delete request.budgetTokens
  const without: NonNullable<ResumeRequest['without']> = []
  if (earlier.args !== undefined && form.args.trim() === '') without.push('args')
  if (earlier.budgetTokens !== null && form.budget.trim() === '') without.push('budget')
  return { request: { ...request, script: form.script, ...(without.length > 0 && { without }) }, errors }
}

function argsText({ args }: EarlierRun): string {
  return args === undefined ? '' : JSON.stringify(args, null, 2)
}
