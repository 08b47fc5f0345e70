// The run tree as lines, within a given height: running and failed agents are kept, finished ones fold first.

import type { AgentState, AgentStatus, RunState } from '../../shared/index.ts'
import { agentRow, footerRow, headerRow, phaseRow, workflowRow, type TreeView } from './run-rows.ts'
import { sectionRun, type RunSection } from './run-sections.ts'
import { fitWidth } from './text.ts'

export interface TreeSize {
  /** Columns; longer lines end in an ellipsis. */
  width: number
  /** Lines, header and footer included; Infinity for all. */
  height: number
}

/** What is worth a line first when there are not enough of them. */
const RANK: Record<AgentStatus, number> = {
  running: 0,
  failed: 1,
  cancelled: 2,
  skipped: 2,
  queued: 3,
  completed: 4,
  replayed: 5,
}

/** Header, tree and footer. Never more than `height` lines (at least two), each at most `width` columns. */
export function renderRunTree(state: RunState, view: TreeView, size: TreeSize): string[] {
  const blocks = sectionRun(state).map((section) => toBlock(section, view))
  const body = renderBody(blocks, view, Math.max(0, size.height - 2))
  return [headerRow(state, view), ...body, footerRow(state, view)].map((line) => fitWidth(line, size.width))
}

/** A heading with the agents under it; agents before the first phase have none. */
interface Block {
  indent: string
  heading: string | undefined
  agents: readonly AgentState[]
  /** Blocks with work going on are kept when even headings are too many. */
  active: boolean
}

function toBlock(section: RunSection, view: TreeView): Block {
  const indent = '  '.repeat(section.depth + 1)
  if (section.kind === 'workflow') {
    const { workflow } = section
    return { indent, heading: workflowRow(workflow, view), agents: [], active: workflow.status === 'running' }
  }
  const { agents } = section
  const active = agents.some((agent) => agent.endedAt === undefined)
  // Without a heading, agents stand where headings stand.
  if (section.title === null) return { indent: indent.slice(2), heading: undefined, agents, active }
  return { indent, heading: phaseRow(section, view), agents, active }
}

function renderBody(blocks: readonly Block[], view: TreeView, room: number): string[] {
  const { dim } = view.style.colors
  const { kept, hidden } = keepBlocks(blocks, room)
  const headings = countHeadings(kept) + (hidden > 0 ? 1 : 0)
  const chosen = chooseAgents(kept, room - headings)
  const lines = hidden > 0 && room > 0 ? [dim(`  … ${hidden} more phases`)] : []
  for (const { indent, heading, agents } of kept) {
    if (heading !== undefined) lines.push(`${indent}${heading}`)
    const visible = agents.filter((agent) => chosen.has(agent))
    for (const agent of visible) lines.push(`${indent}  ${agentRow(agent, view)}`)
    const rest = agents.length - visible.length
    if (visible.length > 0 && rest > 0) lines.push(`${indent}  ${dim(`… ${rest} more`)}`)
  }
  return lines
}

const countHeadings = (blocks: readonly Block[]): number => blocks.filter((block) => block.heading !== undefined).length

/** All blocks when their headings fit; else those with work going on, then the last ones. */
function keepBlocks(blocks: readonly Block[], room: number): { kept: readonly Block[]; hidden: number } {
  if (countHeadings(blocks) <= room) return { kept: blocks, hidden: 0 }
  const kept = blocks
    .map((block, index) => ({ block, index }))
    .sort((a, b) => Number(b.block.active) - Number(a.block.active) || b.index - a.index)
    .slice(0, Math.max(0, room - 1))
    .sort((a, b) => a.index - b.index)
    .map(({ block }) => block)
  return { kept, hidden: blocks.length - kept.length }
}

/** The agents that get a line: by rank, then by number; a block that hides some needs one line to say so. */
function chooseAgents(blocks: readonly Block[], room: number): Set<AgentState> {
  const ranked = blocks
    .flatMap((block) => block.agents.map((agent) => ({ agent, block })))
    .sort((a, b) => RANK[a.agent.status] - RANK[b.agent.status] || a.agent.agent - b.agent.agent)
  const chosen = new Set<AgentState>()
  const shownOf = new Map<Block, number>()
  let used = 0
  for (const { agent, block } of ranked) {
    const shown = shownOf.get(block) ?? 0
    const all = block.agents.length
    // Its own line; "… n more" as well with a block's first; without it once nothing is left to hide.
    const cost = 1 + (shown === 0 && all > 1 ? 1 : 0) - (shown > 0 && shown + 1 === all ? 1 : 0)
    if (used + cost > room) continue
    used += cost
    shownOf.set(block, shown + 1)
    chosen.add(agent)
  }
  return chosen
}
