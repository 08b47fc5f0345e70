// The agents of a run as HTML: by nested workflow and phase, each with what it was asked and what it answered.

import type { AgentCallRecord, AgentState, AgentStatus, RunState } from '../../../shared/index.ts'
import { escapeHtml, preformatted, valueText } from './escape.ts'
import { formatDuration, formatTokens } from './figures.ts'

const TONE: Record<AgentStatus, string> = {
  queued: 'soft',
  running: 'info',
  completed: 'ok',
  replayed: 'ok',
  failed: 'bad',
  skipped: 'warn',
  cancelled: 'warn',
}

interface Section {
  heading: string
  agents: AgentState[]
}

/** One part for each heading and each agent; `read` gives what a call said, and may be slow for large ones. */
export function* renderAgents(
  state: RunState,
  read: (agent: AgentState) => AgentCallRecord | undefined,
): Generator<string> {
  for (const { heading, agents } of sectionsOf(state)) {
    yield `<h3>${escapeHtml(heading)} <span class="soft">(${agents.length})</span></h3>`
    for (const agent of agents) yield renderAgent(agent, read(agent))
  }
}

/** In the order in which they came about; phases that no agent ran in are left out. */
function sectionsOf({ agents, groups, phases }: RunState): Section[] {
  const sections = new Map<string, Section>()
  for (const agent of agents) {
    const key = `${agent.group} ${agent.phase ?? ''}`
    const known = sections.get(key)
    if (known !== undefined) known.agents.push(agent)
    else {
      const workflow = groups.find(({ group }) => group === agent.group)?.name
      const names = [workflow === undefined ? [] : `workflow ${workflow}`, agent.phase ?? []].flat()
      const detail = phases.find(({ title, group }) => title === agent.phase && group === agent.group)?.detail
      const heading = names.join(' › ') || 'Before the first phase'
      sections.set(key, { heading: detail === undefined ? heading : `${heading}: ${detail}`, agents: [agent] })
    }
  }
  return [...sections.values()]
}

function renderAgent(agent: AgentState, call: AgentCallRecord | undefined): string {
  const { label, status, durationMs, usage, error, failedAttempts, agent: number, path, model, backend } = agent
  const figures = [
    usage === undefined ? '' : `${formatTokens(usage.outputTokens)} tokens`,
    durationMs === undefined ? '' : formatDuration(durationMs),
  ]
  const blocks = [
    block('Error', error && `${error.message}\n(${error.code ?? error.failure})`),
    block(
      'Earlier attempts',
      failedAttempts.map(({ attempt, failure, error: why }) => `${attempt}: ${failure}, ${why}`).join('\n'),
    ),
    block('Prompt', call?.prompt ?? agent.promptPreview),
    block('Options', call && Object.keys(call.options).length > 0 ? valueText(call.options) : undefined),
    block('Result', resultOf(agent, call)),
  ]
  return (
    `<details><summary><span class="status ${TONE[status]}">${status}</span>` +
    `<span class="name" dir="auto">${escapeHtml(label)}</span>` +
    figures.map((figure) => (figure === '' ? '' : `<span class="figure">${escapeHtml(figure)}</span>`)).join('') +
    `</summary><div class="body"><p class="soft">Agent ${number} · ${escapeHtml(path)} · ${escapeHtml(backend)}` +
    `${model === undefined ? '' : ` · ${escapeHtml(model)}`}</p>${blocks.join('')}</div></details>\n`
  )
}

function resultOf({ status }: AgentState, call: AgentCallRecord | undefined): string | undefined {
  if (status !== 'completed' && status !== 'replayed') return undefined
  return call === undefined ? undefined : valueText(call.result)
}

function block(heading: string, text: string | undefined): string {
  return text === undefined || text === '' ? '' : `<h4>${heading}</h4>${preformatted(text)}`
}
