// One row of the run tree. Its name for screen readers and tests begins with the title and holds the status word.

import { ChevronRight } from 'lucide-react'
import { memo } from 'react'
import { plural } from '../../../shared/index.ts'
import { formatCount, formatTicking } from '../../state/format.ts'
import type { TreeRow } from '../../state/tree/rows.ts'
import type { AgentNode, ContainerNode } from '../../state/tree/run-tree.ts'
import { useTimeText } from '../../ui/app-context.tsx'
import { cx } from '../../ui/cx.ts'
import { Elapsed } from '../../ui/elapsed.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { PhaseBar } from './phase-bar.tsx'
import styles from './run-tree.module.css'

const INDENT = 18
/** An agent that says nothing for so long is said to be quiet. */
const QUIET_MS = 30_000

export interface RowClock {
  /** True while times tick. */
  live: boolean
  /** The moment of the run that is looked at, if it is not its end. */
  at: number | undefined
  /** True while the run is paused: nothing that is queued starts. */
  held: boolean
}

interface RunTreeRowProps {
  row: TreeRow
  domId: string
  top: number
  clock: RowClock
  active: boolean
  selected: boolean
  onActivate(row: TreeRow): void
}

export function ColumnHeads() {
  return (
    <div className={styles['heads']} aria-hidden>
      <span className={styles['title']}>Phase / agent</span>
      <span className={styles['activity']}>Activity</span>
      <span className={styles['model']}>Model</span>
      <span className={styles['elapsed']}>Elapsed</span>
      <span className={styles['tokens']}>Tokens</span>
      <span className={styles['status']}>Status</span>
    </div>
  )
}

export const RunTreeRow = memo(function RunTreeRow(props: RunTreeRowProps) {
  const { row, domId, top, clock, active, selected, onActivate } = props
  const { node, level, position, siblings, open } = row
  return (
    <div
      id={domId}
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={open}
      aria-selected={selected}
      data-status={node.status}
      data-row={row.id}
      data-active={active || undefined}
      className={cx(styles['row'], active && styles['active'], selected && styles['selected'])}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onActivate(row)}
    >
      <span className={styles['title']} style={{ paddingLeft: (level - 1) * INDENT }}>
        <Chevron open={open} />
        <StatusIcon status={node.status} />
        <Label node={node} />
      </span>
      {node.kind === 'agent' ? <AgentCells node={node} clock={clock} /> : <ContainerCells node={node} clock={clock} />}
      <span className={styles['status']}>{node.status}</span>
      {node.kind !== 'agent' && node.agents > 0 && <span className="unseen">{progressWords(node)}</span>}
    </div>
  )
}, sameRow)

const Chevron = memo(function Chevron({ open }: { open: boolean | undefined }) {
  const look = open === undefined ? 'none' : open && 'open'
  return <ChevronRight size={14} aria-hidden className={cx(styles['chevron'], look && styles[look])} />
})

// Rows are made anew on each frame; what a row shows changes rarely.
function sameRow(a: RunTreeRowProps, b: RunTreeRowProps): boolean {
  return (
    a.top === b.top &&
    a.clock === b.clock &&
    a.active === b.active &&
    a.selected === b.selected &&
    a.onActivate === b.onActivate &&
    a.row.open === b.row.open &&
    a.row.position === b.row.position &&
    a.row.siblings === b.row.siblings &&
    a.row.level === b.row.level &&
    sameNode(a.row.node, b.row.node)
  )
}

function sameNode(a: TreeRow['node'], b: TreeRow['node']): boolean {
  if (a.id !== b.id || a.status !== b.status) return false
  // The fold keeps an agent's object while nothing about it changes.
  if (a.kind === 'agent') return b.kind === 'agent' && a.agent === b.agent
  return (
    b.kind !== 'agent' &&
    a.ended === b.ended &&
    a.agents === b.agents &&
    a.running === b.running &&
    a.failed === b.failed &&
    a.outputTokens === b.outputTokens &&
    a.startedAt === b.startedAt &&
    a.endedAt === b.endedAt &&
    a.waitsFor === b.waitsFor
  )
}

function progressWords({ ended, agents, failed }: ContainerNode): string {
  return `${ended} of ${plural(agents, 'agent')} done${failed > 0 ? `, ${failed} failed` : ''}`
}

function Label({ node }: { node: TreeRow['node'] }) {
  if (node.kind === 'agent') {
    return (
      <span className={styles['label']} title={node.title}>
        {node.title}
      </span>
    )
  }
  return (
    <span className={cx(styles['label'], styles['strong'])} title={node.detail ?? node.title}>
      {node.title}
      {node.detail !== undefined && (
        <span className={styles['detail']} aria-hidden>
          {node.detail}
        </span>
      )}
    </span>
  )
}

// Only title and status make a row's name: what an agent says right now would drown them. The Agent region has it all.
function AgentCells({ node: { agent, status }, clock }: { node: AgentNode; clock: RowClock }) {
  const model = agent.model ?? agent.backend
  const activity = agentActivity(agent, clock)
  return (
    <>
      <span aria-hidden className={cx(styles['activity'], agent.error && styles['problem'])} title={activity}>
        {agent.attempt > 1 && <span className={styles['attempt']}>attempt {agent.attempt} · </span>}
        {status === 'running' && clock.live && <QuietFor since={agent.lastActivityAt} />}
        {activity}
      </span>
      <span aria-hidden className={styles['model']} title={`${model} (back end ${agent.backend})`}>
        {model}
      </span>
      <span aria-hidden className={styles['elapsed']}>
        <Elapsed
          start={agent.startedAt}
          end={agent.endedAt ?? (status === 'running' ? clock.at : undefined)}
          live={clock.live && status === 'running'}
        />
      </span>
      <span aria-hidden className={styles['tokens']}>
        {agent.usage && formatCount(agent.usage.outputTokens)}
      </span>
    </>
  )
}

function agentActivity(agent: AgentNode['agent'], { held }: RowClock): string {
  if (agent.permission) return `asks: ${agent.permission.title}`
  if (agent.error) return agent.error.message
  if (agent.activity !== undefined) return agent.activity
  if (agent.endedAt !== undefined) return agent.resultPreview ?? ''
  if (agent.startedAt !== undefined) return 'starting'
  return held ? 'waiting until the run is continued' : 'waiting for a free place'
}

function QuietFor({ since }: { since: number }) {
  const quiet = useTimeText(true, (now) => (now - since < QUIET_MS ? '' : `quiet for ${formatTicking(now - since)} · `))
  return quiet === '' ? null : <span className={styles['quiet']}>{quiet}</span>
}

function ContainerCells({ node, clock }: { node: ContainerNode; clock: RowClock }) {
  return (
    <>
      <span aria-hidden className={styles['activity']}>
        {node.agents > 0 ? <PhaseBar node={node} /> : <ReachedNote node={node} live={clock.live} />}
      </span>
      <span aria-hidden className={styles['model']} />
      <span aria-hidden className={styles['elapsed']}>
        <Elapsed
          start={node.startedAt}
          end={node.endedAt ?? (node.status === 'running' ? clock.at : undefined)}
          live={clock.live && node.status === 'running'}
        />
      </span>
      <span aria-hidden className={styles['tokens']}>
        {node.outputTokens > 0 && formatCount(node.outputTokens)}
      </span>
    </>
  )
}

function ReachedNote({ node, live }: { node: ContainerNode; live: boolean }) {
  if (node.startedAt !== undefined) return <>no agents</>
  if (node.waitsFor !== undefined) return <>waiting for “{node.waitsFor}”</>
  return <>{live ? 'waiting to begin' : 'not reached'}</>
}
