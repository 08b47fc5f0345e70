// A file tab: its bar with the run buttons, the conflict with the disk if there is one, and the editor, loaded when first needed.

import { FileWarning, FlaskConical, LoaderCircle, Play, Save } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useStore } from 'zustand'
import type { OpenDocument } from '../../state/documents/document.ts'
import { useApp } from '../../ui/app-context.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
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
  const dryRunning = useStore(app.window, (state) => state.dryRunning.has(path))
  return (
    <div className={styles['bar']}>
      <span className={styles['path']} title={path}>
        {shortPath(path, app.workspace)}
      </span>
      {!writable && <Badge title="Bundled workflows can be run, but not changed.">Read only</Badge>}
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
        onClick={() => void app.dryRun(path)}
      >
        Dry run
      </Button>
      <Button
        look="primary"
        icon={<Play size={13} aria-hidden />}
        title={`Run it with real agents (${shortcutText('$mod+Shift+Enter')})`}
        onClick={() => app.openDialog({ kind: 'run', path })}
      >
        Run
      </Button>
    </div>
  )
}

function ConflictBar({ document: { path, fileName } }: { document: OpenDocument }) {
  const { documents } = useApp()
  return (
    <div className={styles['conflict']} role="alert">
      <FileWarning size={15} aria-hidden />
      <span className={styles['conflictText']}>
        {fileName} was changed on disk while you edited it. Your text is not saved.
      </span>
      <Button onClick={() => void documents.keepMine(path)}>Overwrite with mine</Button>
      <Button onClick={() => documents.takeTheirs(path)}>Load from disk</Button>
    </div>
  )
}

/** The path within the workspace, or the whole one for a file outside of it. */
function shortPath(path: string, workspace: string): string {
  return path.startsWith(workspace) ? path.slice(workspace.length).replace(/^[\\/]/, '') : path
}
