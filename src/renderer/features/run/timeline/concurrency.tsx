// How many agents were at work at once, as a line under the bars.

import { memo } from 'react'
import { plural } from '../../../../shared/index.ts'
import { concurrencyOf, type TimelineRow } from '../../../state/timeline/timeline.ts'
import styles from './timeline.module.css'

/** Finer than anyone can see at the smallest zoom. */
const BUCKETS = 480

interface ConcurrencyProps {
  rows: readonly TimelineRow[]
  length: number
}

export const Concurrency = memo(function Concurrency({ rows, length }: ConcurrencyProps) {
  const peaks = concurrencyOf(rows, length, BUCKETS)
  const peak = Math.max(1, ...peaks)
  const line = peaks.map((count, x) => `${x} ${peak - count}H${x + 1}`).join('L')
  return (
    <>
      <span className={styles['footLabel']}>{plural(Math.max(...peaks), 'agent')} at once, at most</span>
      <svg
        className={styles['line']}
        viewBox={`0 0 ${BUCKETS} ${peak}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`At most ${plural(Math.max(...peaks), 'agent')} at once`}
      >
        <path className={styles['area']} d={`M0 ${peak}L${line}V${peak}Z`} />
        <path className={styles['stroke']} d={`M${line}`} vectorEffect="non-scaling-stroke" />
      </svg>
    </>
  )
})
