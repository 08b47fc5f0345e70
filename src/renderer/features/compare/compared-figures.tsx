// What both runs took, and by how much the second differs.

import { describeCost, type ComparedTotals, type RunComparison } from '../../../shared/index.ts'
import { formatCost, formatCount, formatDuration } from '../../state/format.ts'
import styles from './compare-tab.module.css'

interface Figure {
  name: string
  read(totals: ComparedTotals): number | null
  format(value: number, totals: ComparedTotals): string
  /** Something is missing from it: it can't be compared. */
  isPart?(totals: ComparedTotals): boolean
}

const FIGURES: readonly Figure[] = [
  { name: 'Wall-clock', read: (totals) => totals.durationMs, format: formatDuration },
  { name: 'Output tokens', read: (totals) => totals.outputTokens, format: formatCount },
  {
    name: 'Cost',
    read: (totals) => totals.costUsd,
    format: (_usd, totals) => describeCost(totals, formatCost) ?? '',
    isPart: ({ unpricedAgents }) => unpricedAgents > 0,
  },
  { name: 'Agents', read: (totals) => totals.agents, format: String },
  { name: 'Failed', read: (totals) => totals.calls.failed, format: String },
  { name: 'Replayed', read: (totals) => totals.calls.replayed, format: String },
]

export function ComparedFigures({ comparison: { totals } }: { comparison: RunComparison }) {
  return (
    <table className={styles['figures']}>
      <caption className="unseen">Totals of both runs</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">First</th>
          <th scope="col">Second</th>
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        {FIGURES.map(({ name, read, format, isPart = () => false }) => {
          const a = read(totals.a)
          const b = read(totals.b)
          const isWhole = !isPart(totals.a) && !isPart(totals.b)
          return (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{a === null ? '–' : format(a, totals.a)}</td>
              <td>{b === null ? '–' : format(b, totals.b)}</td>
              <td>{a === null || b === null || !isWhole ? '' : describeChange(a, b)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function describeChange(a: number, b: number): string {
  if (a === b) return 'same'
  // Nothing grows to something by no percentage.
  if (a === 0) return 'more'
  const percent = Math.round(((b - a) / a) * 100)
  if (percent === 0) return b > a ? '< +1 %' : '< −1 %'
  return `${percent > 0 ? '+' : '−'}${Math.abs(percent)} %`
}
