// A file tab: its bar with the run buttons, the conflict with the disk if there is one, and the editor, loaded when first needed.

import { Ellipsis, FileWarning, FlaskConical, LoaderCircle, Play, Save } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useStore } from 'zustand'
import type { AppState } from '../../state/app-state.ts'
import type { OpenDocument } from '../../state/documents/document.ts'
import { commandShortcut } from '../../state/shortcuts.ts'
import type { AuthorDialog } from '../../state/workflows/author-dialog.ts'
import { shortPath } from '../../state/short-path.ts'
import { useApp } from '../../ui/app-context.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { MenuButton, type MenuEntries } from '../../ui/menu.tsx'
import { shortcutText } from '../../ui/shortcut-text.ts'
import spin from '../../ui/spin.module.css'
import styles from './editor.module.css'

const CodeEditor = lazy(() => import('./code-editor.tsx'))

/** Stays mounted while another kind of tab is active, so that the editor is made once. */
export function EditorTab({ path }: { path: string | null }) {
  const { documents } = useApp()
  const document = useStore(documents.store, (all) => (path === null ? undefined : all.get(path)))
  return (
    <div className={styles['editor']} hidden={path === null}>
      {document && <EditorBar document={document} />}
      {document?.conflict && <ConflictBar document={document} />}
      <Suspense fallback={<div className={styles['loading']} />}>
        <CodeEditor path={path} />
      </Suspense>
    </div>
  )
}

function EditorBar({ document }: { document: OpenDocument }) {
  const app = useApp()
  const { path, writable, dirty, saving } = document
  // A companion's script may be found only once the workflows are listed.
  useStore(app.workflows.store, (state) => state.entries)
  const script = app.authoring.scriptFor(path)
  const dryRunning = useStore(app.window, (state) => script !== undefined && state.dryRunning.has(script))
  return (
    <div className={styles['bar']}>
      <span className={styles['path']} title={path}>
        {shortPath(path, app.workspace)}
      </span>
      {!writable && <Badge title="Bundled workflows can be run, but not changed.">Read only</Badge>}
      {script !== undefined && script !== path && (
        <Button look="plain" onClick={() => void app.openFile(script)}>
          Open script
        </Button>
      )}
      {writable && (
        <IconButton
          label="Save"
          title={`Save (${shortcutText('$mod+S')})`}
          disabled={!dirty || saving}
          onClick={() => void app.save(path)}
        >
          <Save size={15} aria-hidden />
        </IconButton>
      )}
      <MenuButton
        trigger={
          <IconButton label="File actions">
            <Ellipsis size={15} aria-hidden />
          </IconButton>
        }
        entries={fileMenu(app, document, script)}
      />
      {script !== undefined && (
        <>
          <Button
            icon={
              dryRunning ? (
                <LoaderCircle size={14} aria-hidden className={spin['spin']} />
              ) : (
                <FlaskConical size={14} aria-hidden />
              )
            }
            title={`Run it with simulated agents: costs nothing, touches nothing (${shortcutText('$mod+Enter')})`}
            aria-disabled={dryRunning}
            onClick={() => void app.dryRun(script)}
          >
            Dry run
          </Button>
          <Button
            look="primary"
            icon={<Play size={13} aria-hidden />}
            title={`Run it with real agents (${shortcutText('$mod+Shift+Enter')})`}
            onClick={() => app.openDialog({ kind: 'run', path: script })}
          >
            Run
          </Button>
        </>
      )}
    </div>
  )
}

function fileMenu(app: AppState, { path, writable }: OpenDocument, script: string | undefined): MenuEntries {
  const readOnly = writable ? null : 'It belongs to Weft.'
  const open = (dialog: AuthorDialog) => () => app.openDialog(dialog)
  const scriptEntries: MenuEntries =
    script === undefined
      ? []
      : [
          {
            label: 'Dry run options…',
            shortcut: commandShortcut('dry-run-options'),
            onSelect: open({ kind: 'dry-run-options', path: script }),
          },
          { label: 'Open fixtures', onSelect: () => void app.authoring.openCompanion(script, 'fixtures') },
          { label: 'Open args schema', onSelect: () => void app.authoring.openCompanion(script, 'args-schema') },
          'separator',
        ]
  return [
    ...scriptEntries,
    { label: 'Compare with the saved file', onSelect: () => void app.openDiff(path, { kind: 'saved' }) },
    { label: 'Compare with…', onSelect: open({ kind: 'compare-script', path }) },
    'separator',
    { label: 'Save as…', shortcut: commandShortcut('save-as'), onSelect: open({ kind: 'save-as', path }) },
    { label: 'Rename…', refusal: readOnly, onSelect: open({ kind: 'rename-workflow', path }) },
    { label: 'Delete…', refusal: readOnly, danger: true, onSelect: open({ kind: 'delete-workflow', path }) },
  ]
}

function ConflictBar({ document: { path, fileName } }: { document: OpenDocument }) {
  const { documents, openDiff } = useApp()
  return (
    <div className={styles['conflict']} role="alert">
      <FileWarning size={15} aria-hidden />
      <span className={styles['conflictText']}>
        {fileName} was changed on disk while you edited it. Your text is not saved.
      </span>
      <Button onClick={() => void openDiff(path, { kind: 'saved' })}>Compare</Button>
      <Button onClick={() => void documents.keepMine(path)}>Keep mine</Button>
      <Button onClick={() => documents.takeTheirs(path)}>Take theirs</Button>
    </div>
  )
}
