// Picks the run that another one is compared with.

import { useStore } from 'zustand'
import type { RunId, RunRow } from '../../../shared/index.ts'
import { isLiveStatus } from '../../state/runs/run-view.ts'
import { useApp } from '../../ui/app-context.tsx'
import { Palette } from '../../ui/palette/palette.tsx'

export function CompareDialog({ runId }: { runId: RunId }) {
  const app = useApp()
  const { rows } = useStore(app.runs.store)
  const mine = rows.find((row) => row.runId === runId)
  // The same workflow's runs are what one compares with most.
  const others = rows
    .filter((row) => row.runId !== runId && !isLiveStatus(row.status))
    .sort((a, b) => Number(b.workflow === mine?.workflow) - Number(a.workflow === mine?.workflow))
  return (
    <Palette
      title="Compare with"
      placeholder="Compare with which run"
      entries={others.map((row) => ({ id: row.runId, title: titleOf(row), detail: detailOf(row) }))}
      onClose={app.closeDialog}
      onChoose={(id) => {
        app.closeDialog()
        const other = others.find((row) => row.runId === id)
        if (other === undefined) return
        // What is older comes first: changes read from then to now.
        const [a, b] = other.startedAt <= (mine?.startedAt ?? 0) ? [other.runId, runId] : [runId, other.runId]
        app.openComparison(a, b)
      }}
    />
  )
}

function titleOf({ title, workflow }: RunRow): string {
  return title ?? workflow
}

function detailOf(row: RunRow): string {
  const status = row.status === 'completed' && row.degraded ? 'completed with failures' : row.status
  return `${status === 'error' ? 'failed' : status} · ${new Date(row.startedAt).toLocaleString('en-GB')}`
}
