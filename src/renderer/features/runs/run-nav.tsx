// The workspace's runs: live ones first, then history, or what a search and filters leave of them.

import { FileUp, ListFilter } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import type { RunRow } from '../../../shared/index.ts'
import { isEmptyFilter } from '../../state/runs/run-finder.ts'
import { isLiveStatus } from '../../state/runs/run-view.ts'
import { useApp } from '../../ui/app-context.tsx'
import { IconButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { onListKeyDown } from '../../ui/list-keys.ts'
import { NavHead } from '../../ui/nav-head.tsx'
import nav from '../../ui/nav-list.module.css'
import { RunFilters } from './run-filters.tsx'
import { RunHits } from './run-hits.tsx'
import { RunItem } from './run-item.tsx'

export function RunNav() {
  const { runs, finder, archive } = useApp()
  const total = useStore(runs.store, (list) => list.total)
  const found = useStore(finder.store, (state) => state.found)
  const filtered = useStore(finder.store, (state) => !isEmptyFilter({ ...state.filter, text: '' }))
  const [wanted, setWanted] = useState(false)
  const open = wanted || filtered
  return (
    <nav className={nav['nav']} aria-label="Runs">
      <NavHead title="Runs" count={total}>
        <IconButton label="Import run" onClick={() => void archive.importPicked()}>
          <FileUp size={14} aria-hidden />
        </IconButton>
        <IconButton label="Filter runs" aria-expanded={open} onClick={() => setWanted(!open)}>
          <ListFilter size={14} aria-hidden />
        </IconButton>
      </NavHead>
      <RunFilters open={open} onReset={() => setWanted(false)} />
      <div className={nav['scroller']} onKeyDown={onListKeyDown}>
        {found === null ? <AllRuns /> : <FoundRuns />}
      </div>
    </nav>
  )
}

function AllRuns() {
  const { runs } = useApp()
  const { rows, total, load, pinned } = useStore(runs.store)
  const live = rows.filter((row) => isLiveStatus(row.status))
  const kept = rows.filter((row) => !isLiveStatus(row.status) && pinned.has(row.runId))
  const past = rows.filter((row) => !isLiveStatus(row.status) && !pinned.has(row.runId))
  return (
    <>
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
      <RunSection title="Pinned" rows={kept} />
      <RunSection title="History" rows={past} />
      {total > rows.length && (
        <p className={nav['error']}>
          {(total - rows.length).toLocaleString('en-US')} older runs are not listed: search for them.
        </p>
      )}
    </>
  )
}

function FoundRuns() {
  const { finder } = useApp()
  const { found, filter } = useStore(finder.store)
  if (found === null) return null
  const { rows, hits, total, failure } = found
  return (
    <>
      {failure !== null && (
        <EmptyState small title="The search failed">
          {failure}
        </EmptyState>
      )}
      {failure === null && rows.length + hits.length === 0 && (
        <EmptyState small title="Nothing found">
          {filter.text.trim() === ''
            ? 'No run is like this. Change or reset the filters.'
            : `Neither a run nor anything in one has “${filter.text.trim()}”.`}
        </EmptyState>
      )}
      <RunSection title="Runs" rows={rows} />
      <RunHits hits={hits} first={rows.length === 0} />
      {total > rows.length && rows.length > 0 && filter.status !== 'degraded' && filter.status !== 'completed' && (
        <p className={nav['error']}>{(total - rows.length).toLocaleString('en-US')} more are not listed.</p>
      )}
    </>
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
