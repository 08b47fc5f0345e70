// What a dry run found out, for people: phases, how many at once, the longest path, the estimate, what was never reached.

import { plural, toPreview, type DryRunPlan, type RunState } from '../../shared/index.ts'
import { formatCost, formatDuration } from './format.ts'
import { shortenPath } from './path.ts'
import { renderTable } from './table.ts'
import type { Style } from './style.ts'
import { escapeControls } from './text.ts'

const PATH_STEPS = 12
const PERMISSIONS = 10

export interface PlanPlace {
  width: number
  /** Where one stands: files below are told from there. */
  cwd: string
}

/** `state` names the nested workflows and the file. */
export function renderPlan(plan: DryRunPlan, state: RunState, style: Style, { width, cwd }: PlanPlace): string[] {
  const { colors } = style
  const at = plural(plan.peakConcurrency, 'agent')
  return [
    ...renderPhases(plan, state, style, width),
    `${colors.bold('At most')} ${at} at once`,
    ...renderLongestPath(plan, style),
    `${colors.bold('Estimate')} ${describeEstimate(plan)}`,
    ...renderAnswers(plan, state, style),
    ...renderPermissions(plan, style),
    ...renderUnreached(plan, state, style, cwd),
  ]
}

function renderPhases(plan: DryRunPlan, state: RunState, { colors, symbol }: Style, width: number): string[] {
  if (plan.phases.length === 0) return [`${colors.bold('Plan')} no agents`]
  const rows = plan.phases.map((phase) => {
    const workflow = state.groups.find((group) => group.group === phase.group)
    const title = phase.title ?? '(no phase)'
    return [
      escapeControls(workflow ? `${symbol.group} ${workflow.name}: ${title}` : title),
      String(phase.agents),
      formatDuration(phase.startMs),
      formatDuration(phase.endMs),
    ]
  })
  return renderTable(['Phase', 'Agents', 'From', 'To'], rows, { width, heading: colors.bold })
}

function renderLongestPath({ longestPath }: DryRunPlan, { colors, symbol }: Style): string[] {
  const last = longestPath.at(-1)
  if (last === undefined) return []
  const labels = longestPath.slice(0, PATH_STEPS).map((step) => escapeControls(toPreview(step.label, 60)))
  if (longestPath.length > PATH_STEPS) labels.push(`… ${longestPath.length - PATH_STEPS} more`)
  const length = formatDuration(last.endMs - (longestPath[0]?.startMs ?? 0))
  return [`${colors.bold('Longest path')} ${labels.join(` ${symbol.bullet} `)} (${length})`]
}

function describeEstimate({ estimate }: DryRunPlan): string {
  const basis = {
    history: `from ${plural(estimate.runs, 'earlier run')}`,
    fixtures: 'from the fixtures',
    default: 'from default figures',
  }[estimate.basis]
  const cost = estimate.costUsd === null ? 'cost unknown' : formatCost(estimate.costUsd)
  const tokens = `${estimate.outputTokens.toLocaleString('en-US')} output and ${estimate.inputTokens.toLocaleString('en-US')} input tokens`
  return `${formatDuration(estimate.wallClockMs)}, ${tokens}, ${cost} (${basis})`
}

function renderAnswers({ answers }: DryRunPlan, state: RunState, { colors }: Style): string[] {
  if (answers === undefined) return []
  return [`${colors.bold('Answers')} ${answers.calls} of ${state.agents.length} from run ${answers.fromRun}`]
}

function renderPermissions({ permissions = [] }: DryRunPlan, { colors }: Style): string[] {
  const lines = permissions.slice(0, PERMISSIONS).map(({ label, title, answer }) => {
    const words = `${toPreview(label, 60)} asks: ${toPreview(title, 120)}`
    return `${colors.yellow('Permission')} ${escapeControls(words)} (${answer} by policy)`
  })
  const rest = permissions.length - PERMISSIONS
  return rest > 0 ? [...lines, `${colors.yellow('Permission')} … ${rest} more`] : lines
}

function renderUnreached({ unreached }: DryRunPlan, state: RunState, { colors }: Style, cwd: string): string[] {
  const own = state.info?.fileName ?? 'script'
  return unreached.map(({ what, line, column, file }) => {
    const name = escapeControls(file === undefined ? own : shortenPath(file, cwd))
    return `${colors.yellow('Not reached')} ${what} at ${name}:${line}:${column}`
  })
}
