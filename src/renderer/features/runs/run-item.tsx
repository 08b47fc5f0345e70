// One run in the sidebar. How it ended is said as it was, degraded ones included.

import { Pin, Plug } from 'lucide-react'
import { useRef } from 'react'
import { useStore } from 'zustand'
import type { RunRow } from '../../../shared/index.ts'
import type { AppState } from '../../state/app-state.ts'
import { formatAgo, formatDuration } from '../../state/format.ts'
import { isLiveStatus } from '../../state/runs/run-view.ts'
import { starterOf } from '../../state/runs/starter.ts'
import { useApp, useTimeText } from '../../ui/app-context.tsx'
import { Elapsed } from '../../ui/elapsed.tsx'
import { useItemMenu } from '../../ui/item-menu.tsx'
import type { MenuEntries } from '../../ui/menu.tsx'
import nav from '../../ui/nav-list.module.css'
import { StatusIcon, type ShownStatus } from '../../ui/status-icon.tsx'
import { useKeepingEntries } from '../../ui/run-menu.tsx'

export function RunItem({ row, first }: { row: RunRow; first: boolean }) {
  const app = useApp()
  const current = useStore(app.tabs, ({ active }) => active === `run:${row.runId}`)
  const pinned = useStore(app.runs.store, (runs) => runs.pinned.has(row.runId))
  const button = useRef<HTMLButtonElement>(null)
  const tabStop = first || current
  const live = isLiveStatus(row.status)
  const keeping = useKeepingEntries(row.runId, live)
  const menu = useItemMenu(button, () => runEntries(app, row, keeping))
  const name = row.title ?? row.workflow
  const words = statusWords(row)
  const starter = starterOf(row.startedBy)
  const byHarness = row.startedBy.kind === 'harness'
  return (
    <li>
      <button
        ref={button}
        type="button"
        className={nav['item']}
        aria-current={current ? 'page' : undefined}
        aria-haspopup="menu"
        tabIndex={tabStop ? 0 : -1}
        title={`${name}\n${words}${row.error === null ? '' : `: ${row.error}`}\n${new Date(row.startedAt).toLocaleString('en-GB')}${starter === undefined ? '' : `, ${starter}`}`}
        onClick={() => app.openRun(row)}
        onContextMenu={menu.onContextMenu}
        onKeyDown={(event) => {
          if (event.key === 'Delete' && !live) app.openDialog({ kind: 'delete', runId: row.runId })
        }}
      >
        <StatusIcon status={shownStatus(row)} />
        <span className={nav['name']}>
          {name}
          <span className={nav['words']}>
            , {words}
            {byHarness && `, ${starter}`}
            {pinned && ', pinned'}
          </span>
        </span>
        {byHarness && <Plug size={11} aria-hidden className={nav['icon']} />}
        {pinned && <Pin size={11} aria-hidden className={nav['icon']} />}
        <span className={nav['aside']}>
          {live ? <Elapsed start={row.startedAt} end={undefined} live /> : <Ago row={row} />}
        </span>
      </button>
      {menu.shown}
    </li>
  )
}

function runEntries(app: AppState, row: RunRow, keeping: MenuEntries): MenuEntries {
  return [
    { label: 'Open', onSelect: () => app.openRun(row) },
    {
      label: 'Resume…',
      refusal: isLiveStatus(row.status) ? 'The run is still going.' : null,
      onSelect: () => app.openDialog({ kind: 'resume', runId: row.runId }),
    },
    ...keeping,
  ]
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
