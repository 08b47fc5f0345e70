// What else may be done with a run: kept apart from the buttons that are needed in a hurry.

import { Download, Ellipsis, FileDown, GitCompareArrows, Pin, PinOff, RotateCw, Trash2 } from 'lucide-react'
import { useStore } from 'zustand'
import type { RunId } from '../../shared/index.ts'
import { refuseRunAction } from '../state/runs/run-controls.ts'
import { isLiveStatus, viewStatus, type RunView } from '../state/runs/run-view.ts'
import type { RunningTab } from '../state/tabs/tabs.ts'
import { useApp } from './app-context.tsx'
import { IconButton } from './button.tsx'
import { MenuButton, type MenuEntries } from './menu.tsx'

export function RunMenu({ tab, view }: { tab: Extract<RunningTab, { kind: 'run' }>; view: RunView }) {
  const keeping = useKeepingEntries(tab.runId, isLiveStatus(viewStatus(view)))
  const app = useApp()
  const entries: MenuEntries = [
    {
      label: 'Resume…',
      icon: <RotateCw size={13} />,
      refusal: refuseRunAction(view, 'resume'),
      onSelect: () => app.openDialog({ kind: 'resume', runId: tab.runId }),
    },
    ...keeping,
  ]
  return (
    <MenuButton
      trigger={
        <IconButton label="More about this run">
          <Ellipsis size={15} aria-hidden />
        </IconButton>
      }
      entries={entries}
    />
  )
}

/** Comparing, exporting, pinning and deleting: for the run's own menu and for its entry in the list. */
export function useKeepingEntries(runId: RunId, live: boolean): MenuEntries {
  const app = useApp()
  const pinned = useStore(app.runs.store, (runs) => runs.pinned.has(runId))
  const refusal = live ? 'Only once the run has ended.' : null
  return [
    {
      label: 'Compare with another run…',
      icon: <GitCompareArrows size={13} />,
      refusal,
      onSelect: () => app.openDialog({ kind: 'compare', runId }),
    },
    'separator',
    {
      label: 'Export as JSON Lines',
      icon: <FileDown size={13} />,
      refusal,
      onSelect: () => void app.archive.exportRun(runId, 'jsonl'),
    },
    {
      label: 'Export as HTML report',
      icon: <Download size={13} />,
      refusal,
      onSelect: () => void app.archive.exportRun(runId, 'html'),
    },
    'separator',
    {
      label: pinned ? 'Unpin' : 'Pin',
      icon: pinned ? <PinOff size={13} /> : <Pin size={13} />,
      onSelect: () => void app.archive.pin(runId, !pinned),
    },
    {
      label: 'Delete…',
      icon: <Trash2 size={13} />,
      danger: true,
      refusal,
      onSelect: () => app.openDialog({ kind: 'delete', runId }),
    },
  ]
}
