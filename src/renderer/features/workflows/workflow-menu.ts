// What may be done with a workflow of the sidebar without opening it first.

import type { WorkflowEntry } from '../../../shared/index.ts'
import type { AppState } from '../../state/app-state.ts'
import { commandShortcut } from '../../state/shortcuts.ts'
import type { MenuEntries } from '../../ui/menu.tsx'

export function workflowEntries(app: AppState, { path, error, source }: WorkflowEntry): MenuEntries {
  const broken = error === null ? null : 'It is broken: open it to see where.'
  const readOnly = source === 'bundled' ? 'It belongs to Weft.' : null
  return [
    { label: 'Open', onSelect: () => void app.openFile(path) },
    {
      label: 'Dry run',
      shortcut: commandShortcut('dry-run'),
      refusal: broken,
      onSelect: () => void app.openFile(path).then(() => app.dryRun(path)),
    },
    {
      label: 'Run…',
      shortcut: commandShortcut('run'),
      refusal: broken,
      onSelect: () => void app.openFile(path).then(() => app.openDialog({ kind: 'run', path })),
    },
    'separator',
    {
      label: 'Copy path',
      onSelect: () =>
        void navigator.clipboard
          .writeText(path)
          .then(() => app.notices.info('Path copied.'))
          .catch(() => app.notices.error('The clipboard is not available.')),
    },
    'separator',
    {
      label: 'Rename…',
      refusal: readOnly,
      onSelect: () => app.openDialog({ kind: 'rename-workflow', path }),
    },
    {
      label: 'Delete…',
      danger: true,
      refusal: readOnly,
      onSelect: () => app.openDialog({ kind: 'delete-workflow', path }),
    },
  ]
}
