// The workspace's runs: live ones first, then history. How a run ended is said as it was, degraded ones included.

import { useStore } from 'zustand'
import type { RunRow } from '../../../shared/index.ts'
import { formatAgo, formatDuration } from '../../state/format.ts'
import { isLiveStatus } from '../../state/runs/run-view.ts'
import { useApp, useTimeText } from '../../ui/app-context.tsx'
import { Elapsed } from '../../ui/elapsed.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { NavHead } from '../../ui/nav-head.tsx'
import { onListKeyDown } from '../../ui/list-keys.ts'
import nav from '../../ui/nav-list.module.css'
import { StatusIcon, type ShownStatus } from '../../ui/status-icon.tsx'

export function RunNav() {
  const { runs } = useApp()
  const { rows, total, load } = useStore(runs.store)
  const live = rows.filter((row) => isLiveStatus(row.status))
  const past = rows.filter((row) => !isLiveStatus(row.status))
  return (
    <nav className={nav['nav']} aria-label="Runs">
      <NavHead title="Runs" count={total} />
      <div className={nav['scroller']} onKeyDown={onListKeyDown}>
        {load.kind === 'failed' && (
          <EmptyState small title="The runs can't be listed">
            {load.message}
          </EmptyState>
        )}
        {load.kind === 'ready' && rows.length === 0 && (
          <EmptyState small title="No runs yet">
            Open a workflow and press Run. Dry runs are free and leave nothing here.
          </EmptyState>
        )}
        <RunSection title="Live" rows={live} />
        <RunSection title="History" rows={past} />
        {total > rows.length && (
          <p className={nav['error']}>{(total - rows.length).toLocaleString('en-US')} older runs are not listed.</p>
        )}
      </div>
    </nav>
  )
}

function RunSection({ title, rows }: { title: string; rows: readonly RunRow[] }) {
  if (rows.length === 0) return null
  return (
    <div>
      <h3 className={nav['section']}>{title}</h3>
      <ul>
        {rows.map((row, index) => (
          <RunItem key={row.runId} row={row} first={index === 0} />
        ))}
      </ul>
    </div>
  )
}

function RunItem({ row, first }: { row: RunRow; first: boolean }) {
  const app = useApp()
  const current = useStore(app.tabs, ({ active }) => active === `run:${row.runId}`)
  const tabStop = first || current
  const live = isLiveStatus(row.status)
  const name = row.title ?? row.workflow
  const words = statusWords(row)
  return (
    <li>
      <button
        type="button"
        className={nav['item']}
        aria-current={current ? 'page' : undefined}
        tabIndex={tabStop ? 0 : -1}
        title={`${name}\n${words}${row.error === null ? '' : `: ${row.error}`}\n${new Date(row.startedAt).toLocaleString('en-GB')}`}
        onClick={() => app.openRun(row)}
      >
        <StatusIcon status={shownStatus(row)} />
        <span className={nav['name']}>
          {name}
          <span className={nav['words']}>, {words}</span>
        </span>
        <span className={nav['aside']}>
          {live ? <Elapsed start={row.startedAt} end={undefined} live /> : <Ago row={row} />}
        </span>
      </button>
    </li>
  )
}

function Ago({ row }: { row: RunRow }) {
  const ago = useTimeText(true, (now) => formatAgo(row.startedAt, now))
  const took = row.endedAt === null ? undefined : `took ${formatDuration(row.endedAt - row.startedAt)}`
  return <span title={took}>{ago}</span>
}

function shownStatus(row: RunRow): ShownStatus {
  return row.status === 'completed' && row.degraded ? 'degraded' : row.status
}

function statusWords({ status, degraded, calls }: RunRow): string {
  if (status === 'completed' && degraded) return `completed with failures, ${calls.failed} failed`
  return status === 'error' ? 'failed' : status
}
