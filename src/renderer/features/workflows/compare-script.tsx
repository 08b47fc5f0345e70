// What a script is compared with: a run that used some version of it, or another workflow.

import { useStore } from 'zustand'
import { asRunId } from '../../../shared/index.ts'
import { formatAgo } from '../../state/format.ts'
import { useApp } from '../../ui/app-context.tsx'
import { Palette } from '../../ui/palette/palette.tsx'

export function CompareScriptPalette({ path }: { path: string }) {
  const app = useApp()
  const rows = useStore(app.runs.store, (state) => state.rows)
  const files = useStore(app.workflows.store, (state) => state.entries)
  const name = app.documents.get(path)?.meta?.name
  const isOwn = (row: (typeof rows)[number]): boolean => row.scriptPath === path || row.workflow === name
  const runs = [...rows.filter(isOwn), ...rows.filter((row) => !isOwn(row))]
  const entries = [
    ...runs.map((row) => ({
      id: `run:${row.runId}`,
      title: `Run of ${row.title ?? row.workflow}, ${row.status}`,
      detail: `${formatAgo(row.startedAt, app.clock.now())} · ${row.runId.slice(-6)}`,
    })),
    ...files
      .filter((file) => file.path !== path)
      .map((file) => ({ id: `file:${file.path}`, title: file.fileName, detail: file.path })),
  ]
  return (
    <Palette
      title="Compare script"
      placeholder="Compare with a run or another workflow"
      entries={entries}
      onClose={app.closeDialog}
      onChoose={(id) => {
        app.closeDialog()
        const other = id.slice(id.indexOf(':') + 1)
        void app.openDiff(
          path,
          id.startsWith('run:') ? { kind: 'run', runId: asRunId(other) } : { kind: 'file', path: other },
        )
      }}
    />
  )
}
