// One line of the run tree each: an agent, a phase, a nested workflow, the run itself.

import {
  describeCost,
  describeOutcome,
  plural,
  toPreview,
  type AgentState,
  type GroupState,
  type RunState,
} from '../../shared/index.ts'
import { formatCost, formatCount, formatDuration, formatSpent, formatTime } from './format.ts'
import type { PhaseSection } from './run-sections.ts'
import type { Style } from './style.ts'
import { escapeControls } from './text.ts'

export interface TreeView {
  style: Style
  /** Milliseconds since the epoch, on the clock of the run's events. */
  now: number
  /** Which picture of the spinner. */
  frame: number
}

const NOTE_UNITS = 120
const LABEL_UNITS = 80

function paint({ style }: TreeView, status: AgentState['status'], text: string): string {
  const { colors } = style
  switch (status) {
    case 'completed':
      return colors.green(text)
    case 'failed':
      return colors.red(text)
    case 'running':
      return colors.cyan(text)
    case 'replayed':
      return colors.blue(text)
    case 'skipped':
    case 'cancelled':
      return colors.yellow(text)
    case 'queued':
      return colors.dim(text)
  }
}

function spinner({ style, frame }: TreeView): string {
  return style.symbol.spinner[frame % style.symbol.spinner.length] ?? ''
}

/** `✓ label  3.1s  640 tokens  note`. */
export function agentRow(agent: AgentState, view: TreeView): string {
  const { colors, symbol } = view.style
  const mark = agent.status === 'running' ? spinner(view) : symbol[agent.status]
  const parts = [`${paint(view, agent.status, mark)} ${escapeControls(toPreview(agent.label, LABEL_UNITS))}`]
  const elapsed = elapsedOf(agent, view.now)
  if (elapsed !== undefined) parts.push(colors.dim(formatDuration(elapsed)))
  if (agent.usage) parts.push(colors.dim(`${formatCount(agent.usage.outputTokens)} tokens`))
  const note = noteOf(agent)
  if (note !== '') parts.push(agent.status === 'failed' ? colors.red(note) : colors.dim(note))
  return parts.join('  ')
}

function elapsedOf(agent: AgentState, now: number): number | undefined {
  if (agent.durationMs !== undefined) return agent.startedAt === undefined ? undefined : agent.durationMs
  return agent.startedAt === undefined ? undefined : now - agent.startedAt
}

function noteOf(agent: AgentState): string {
  const notes: string[] = []
  if (agent.status !== 'completed' && agent.status !== 'running') notes.push(agent.status)
  if (agent.permission) notes.push(`waits for permission: ${agent.permission.title}`)
  else if (agent.activity !== undefined) notes.push(agent.activity)
  if (agent.error) notes.push(agent.error.message)
  if (agent.attempt > 1) notes.push(`attempt ${agent.attempt}`)
  if (agent.rejections) notes.push(`after ${plural(agent.rejections, 'rejected answer')}`)
  if (agent.branch !== undefined) notes.push(`on branch ${agent.branch}`)
  return escapeControls(toPreview(notes.join(', '), NOTE_UNITS))
}

/** `Find  3/7, 1 failed  4.0s  1.2k tokens`. */
export function phaseRow(phase: PhaseSection, view: TreeView): string {
  const { colors } = view.style
  const title = escapeControls(toPreview(phase.title ?? '', LABEL_UNITS))
  const { agents } = phase
  if (agents.length === 0) {
    return phase.startedAt === undefined ? colors.dim(`${title}  waiting`) : colors.bold(title)
  }
  const done = agents.filter((agent) => agent.endedAt !== undefined).length
  const failed = agents.filter((agent) => agent.status === 'failed').length
  const parts = [
    colors.bold(title),
    [`${done}/${agents.length}`, ...(failed > 0 ? [colors.red(`${failed} failed`)] : [])].join(', '),
  ]
  const started = agents.flatMap((agent) => agent.startedAt ?? [])
  if (started.length > 0) {
    const until = done === agents.length ? latest(agents.flatMap((agent) => agent.endedAt ?? [])) : view.now
    parts.push(colors.dim(formatDuration(until - earliest(started))))
  }
  const tokens = agents.reduce((sum, agent) => sum + (agent.usage?.outputTokens ?? 0), 0)
  if (tokens > 0) parts.push(colors.dim(`${formatCount(tokens)} tokens`))
  return parts.join('  ')
}

// Not Math.min and Math.max: a phase may have more agents than a call can have arguments.
const earliest = (times: readonly number[]): number => times.reduce((a, b) => (b < a ? b : a))
const latest = (times: readonly number[]): number => times.reduce((a, b) => (b > a ? b : a))

/** `▸ name`, with the error of one that failed. */
export function workflowRow(workflow: GroupState, view: TreeView): string {
  const { colors, symbol } = view.style
  const name = `${symbol.group} ${escapeControls(toPreview(workflow.name, LABEL_UNITS))}`
  if (workflow.status !== 'failed') return colors.bold(name)
  const message = workflow.error ? `: ${toPreview(workflow.error.message, NOTE_UNITS)}` : ''
  return `${colors.bold(name)}  ${colors.red(escapeControls(`failed${message}`))}`
}

/** `review-changes  01J…  simulated  back end simulated`. */
export function headerRow(state: RunState, view: TreeView): string {
  const { colors } = view.style
  const { info } = state
  if (!info) return colors.dim('starting')
  const parts = [colors.bold(escapeControls(info.meta.name))]
  if (info.title !== undefined) parts.push(escapeControls(toPreview(info.title, LABEL_UNITS)))
  if (info.dry) parts.push(colors.yellow('dry run'))
  else parts.push(colors.dim(info.runId))
  if (info.simulated && !info.dry) parts.push(colors.yellow('simulated'))
  else if (!info.dry) parts.push(colors.dim(info.backend))
  if (info.resumedFrom !== null) parts.push(colors.dim(`resumes ${info.resumedFrom}`))
  return parts.join('  ')
}

/** `⠋ running · 3 of 7 agents done, 2 running · 12s · 1,240 output tokens`, or the verdict once it has ended. */
export function footerRow(state: RunState, view: TreeView): string {
  const { colors, symbol } = view.style
  const { calls } = state
  const done = calls.completed + calls.failed + calls.skipped + calls.cancelled + calls.replayed
  const parts: string[] = []
  if (state.endedAt !== undefined || state.status === 'interrupted') parts.push(paintVerdict(state, view))
  else {
    parts.push(pausedOrRunning(state, view))
    const counts = [`${done} of ${plural(state.agents.length, 'agent')} done`]
    if (state.running > 0) counts.push(`${state.running} running`)
    if (state.queued > 0) counts.push(`${state.queued} queued`)
    if (calls.failed > 0) counts.push(colors.red(`${calls.failed} failed`))
    parts.push(counts.join(', '))
  }
  if (state.startedAt !== undefined) parts.push(formatDuration((state.endedAt ?? view.now) - state.startedAt))
  if (state.agents.length > 0) parts.push(...spending(state))
  return parts.join(symbol.separator)
}

function pausedOrRunning(state: RunState, view: TreeView): string {
  if (state.status !== 'paused') return `${view.style.colors.cyan(spinner(view))} ${state.status}`
  const until = state.paused?.until === undefined ? '' : ` (until ${formatTime(state.paused.until)})`
  return view.style.colors.yellow(escapeControls(describeOutcome(state)) + until)
}

function spending(state: RunState): string[] {
  const { usage, info } = state
  const counted = usage.outputTokens + usage.replayedOutputTokens
  const parts = [formatSpent(info?.budgetTokens == null ? usage.outputTokens : counted, info?.budgetTokens ?? null)]
  if (usage.replayedOutputTokens > 0) parts.push(`${usage.replayedOutputTokens.toLocaleString('en-US')} replayed`)
  const cost = describeCost(usage, formatCost)
  if (cost !== null) parts.push(cost)
  return parts
}

/** The verdict in its colour; a degraded run is never green. */
export function paintVerdict(state: RunState, { style: { colors } }: Pick<TreeView, 'style'>): string {
  const verdict = escapeControls(describeOutcome(state))
  if (state.status === 'completed') return state.degraded ? colors.yellow(verdict) : colors.green(verdict)
  return state.status === 'error' || state.status === 'interrupted' ? colors.red(verdict) : colors.yellow(verdict)
}
