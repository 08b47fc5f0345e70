// What a resume would do, for people: what is replayed, what runs, and why the first call of each place is another one.

import { plural, toPreview, type FieldChange, type PlannedCall, type ResumePlan } from '../../shared/index.ts'
import { formatCount } from './format.ts'
import type { Style } from './style.ts'
import { escapeControls } from './text.ts'

const LABEL_UNITS = 60
/** Rows of calls that are replayed or depend on others say nothing that their number does not. */
const SHOWN_RUNS = 30

export function renderResumePlan(plan: ResumePlan, { colors }: Style): string[] {
  const runs = plan.calls.filter(({ fate }) => fate === 'runs')
  const moved = plan.calls.filter(({ movedFrom }) => movedFrom !== undefined)
  return [
    `${colors.bold('Resumes')} ${plan.resumes}`,
    `${colors.bold('Replayed')} ${plural(plan.replays, 'call')}, ${formatCount(plan.replayedOutputTokens)} output tokens not paid again`,
    ...(moved.length > 0 ? [`  ${plural(moved.length, 'call')} of them in another place of the script's order`] : []),
    `${colors.bold('Run')} ${describeRuns(plan)}`,
    ...runs.slice(0, SHOWN_RUNS).flatMap(renderRun),
    ...(runs.length > SHOWN_RUNS ? [`  … ${runs.length - SHOWN_RUNS} more`] : []),
    ...plan.notes.map((note) => colors.yellow(`note: ${escapeControls(note)}`)),
  ]
}

function describeRuns({ runs, depends, estimatedOutputTokens }: ResumePlan): string {
  if (runs + depends === 0) return 'nothing: every call is replayed'
  const more = depends > 0 ? ` and about ${plural(depends, 'call')} that depend on their answers` : ''
  return `${plural(runs, 'call')}${more}, about ${formatCount(estimatedOutputTokens)} output tokens`
}

function renderRun({ agent, label, path, reason }: PlannedCall): string[] {
  const head = `  ${agent} ${escapeControls(toPreview(label, LABEL_UNITS))} (${escapeControls(path)})`
  if (reason === undefined) return [head]
  switch (reason.kind) {
    case 'new':
      return [`${head}: is new here`]
    case 'unfinished': {
      const error = reason.error === undefined ? '' : `: ${escapeControls(toPreview(reason.error, LABEL_UNITS))}`
      return [`${head}: agent ${reason.agent} of the earlier run is ${reason.status}${error}`]
    }
    case 'changed':
      return [`${head}: differs from agent ${reason.agent} of the earlier run`, ...reason.changes.flatMap(renderChange)]
  }
}

function renderChange({ field, before, after }: FieldChange): string[] {
  return [
    `    ${field}`,
    `      - ${escapeControls(before ?? '(none)')}`,
    `      + ${escapeControls(after ?? '(none)')}`,
  ]
}
