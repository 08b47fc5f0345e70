// One row of the timeline: the label, and the bar of an agent or the band of a phase.

import { memo } from 'react'
import { plural } from '../../../../shared/index.ts'
import { formatDuration } from '../../../state/format.ts'
import type { TimelineBar, TimelineRow } from '../../../state/timeline/timeline.ts'
import { cx } from '../../../ui/cx.ts'
import styles from './timeline.module.css'

interface BarRowProps {
  row: TimelineRow
  domId: string
  position: number
  count: number
  top: number
  length: number
  active: boolean
  selected: boolean
  onChoose(row: TimelineRow): void
}

export const BarRow = memo(function BarRow(props: BarRowProps) {
  const { row, domId, position, count, top, length, active, selected, onChoose } = props
  const place = (from: number, to: number): React.CSSProperties => ({
    left: `${(100 * from) / length}%`,
    width: `${(100 * Math.max(0, to - from)) / length}%`,
  })
  return (
    <div
      id={domId}
      role="option"
      aria-selected={selected}
      aria-posinset={position}
      aria-setsize={count}
      aria-label={describeRow(row)}
      data-status={row.status}
      className={cx(
        styles['row'],
        row.kind === 'band' && styles['bandRow'],
        active && styles['active'],
        selected && styles['selected'],
      )}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onChoose(row)}
    >
      <span className={styles['label']} style={{ paddingLeft: 12 + (row.level - 1) * 10 }} title={row.title}>
        {row.title}
      </span>
      <span className={styles['track']}>
        {row.kind === 'band' ? (
          row.start !== undefined && (
            <span className={styles['band']} style={place(row.start, row.end ?? length)} title={describeRow(row)} />
          )
        ) : (
          <Bar bar={row} length={length} place={place} />
        )}
      </span>
    </div>
  )
})

interface BarProps {
  bar: TimelineBar
  length: number
  place(from: number, to: number): React.CSSProperties
}

function Bar({ bar, length, place }: BarProps) {
  const end = bar.end ?? length
  const begin = bar.start ?? end
  return (
    <>
      {begin > bar.queued && <span className={styles['wait']} style={place(bar.queued, begin)} />}
      {bar.start !== undefined && (
        <span className={styles['bar']} style={place(bar.start, end)} title={describeRow(bar)} />
      )}
      {bar.gaps.map(({ from, to }) => (
        <span key={from} className={styles['gap']} style={place(from, to ?? end)} />
      ))}
    </>
  )
}

function describeRow(row: TimelineRow): string {
  const parts = [row.title, row.status]
  if (row.start !== undefined) parts.push(`from ${formatDuration(row.start)}`)
  if (row.start !== undefined && row.end !== undefined) parts.push(`for ${formatDuration(row.end - row.start)}`)
  if (row.kind === 'band') parts.push(plural(row.agents, 'agent'))
  else if (row.attempts > 1) parts.push(plural(row.attempts, 'attempt'))
  return parts.join(', ')
}
