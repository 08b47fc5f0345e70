// A file beside another version of it: as it is on disk, as a run used it, or another file. The right side is the open
// document itself and can be edited; the left side is only looked at.

import { lazy, Suspense, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { WorkflowFile } from '../../../shared/index.ts'
import type { AppState } from '../../state/app-state.ts'
import { messageOf } from '../../state/message-of.ts'
import type { Tab } from '../../state/tabs/tabs.ts'
import { useApp } from '../../ui/app-context.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import styles from './editor.module.css'

const DiffEditor = lazy(() => import('./diff-editor.tsx'))

type DiffTabProps = { tab: Extract<Tab, { kind: 'diff' }> }
type Side = { text: string; title: string } | { error: string }

export function DiffTab({ tab }: DiffTabProps) {
  const app = useApp()
  const { path, against } = tab
  const document = useStore(app.documents.store, (all) => all.get(path))
  const hash = document?.hash
  const conflict = document?.conflict
  const [side, setSide] = useState<Side | null>(null)
  useEffect(() => {
    // The file on disk moves on under an open comparison: it is read again with each of its versions.
    if (hash === undefined) return
    let current = true
    readSide(app, tab, conflict ?? null).then(
      (read) => current && setSide(read),
      (error: unknown) => current && setSide({ error: messageOf(error) }),
    )
    return () => {
      current = false
    }
  }, [app, tab, hash, conflict])

  if (document === undefined || side === null) return null
  if ('error' in side) return <EmptyState title="The other version can't be read">{side.error}</EmptyState>
  return (
    <div className={styles['editor']}>
      <div className={styles['bar']}>
        <span className={styles['sides']}>
          <span>{side.title}</span>
          <span aria-hidden>→</span>
          <span>{document.dirty ? `${document.fileName}, not saved` : document.fileName}</span>
        </span>
        {against.kind === 'saved' && conflict && (
          <>
            <Button onClick={() => void app.documents.keepMine(path).then(() => app.close(tab.id))}>Keep mine</Button>
            <Button
              onClick={() => {
                app.documents.takeTheirs(path)
                app.close(tab.id)
              }}
            >
              Take theirs
            </Button>
          </>
        )}
        <Button onClick={() => void app.openFile(path)}>Open the file</Button>
      </div>
      <Suspense fallback={<div className={styles['loading']} />}>
        <DiffEditor key={path} path={path} original={side.text} originalTitle={side.title} />
      </Suspense>
    </div>
  )
}

async function readSide(
  app: AppState,
  { path, against }: DiffTabProps['tab'],
  conflict: WorkflowFile | null,
): Promise<Side> {
  switch (against.kind) {
    case 'saved': {
      const file = conflict ?? (await app.connection.call('workflows.read', { path }))
      return { text: file.text, title: `${file.fileName} on disk` }
    }
    case 'run': {
      const { text, fileName } = await app.connection.call('run.script', { runId: against.runId })
      return { text, title: `${fileName} as run ${against.runId.slice(-6)} used it` }
    }
    case 'file': {
      const file = await app.connection.call('workflows.read', { path: against.path })
      return { text: file.text, title: file.fileName }
    }
  }
}
