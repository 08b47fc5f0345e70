// What the run returned, or why it returned nothing.

import { Download } from 'lucide-react'
import { useStore } from 'zustand'
import type { RunError } from '../../../shared/index.ts'
import { saveFile } from '../../state/files.ts'
import type { RunSession } from '../../state/runs/run-session.ts'
import { isLiveStatus, viewStatus, viewVerdict, type RunView } from '../../state/runs/run-view.ts'
import { IconButton } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PanelHead } from '../../ui/panel-head.tsx'
import { JsonViewer } from '../../ui/json-viewer.tsx'
import styles from './result-panel.module.css'

const LARGE = 1_000_000

export function ResultPanel({ session }: { session: RunSession }) {
  const json = useStore(session.view, (view) => view.result?.json ?? null)
  const name = useStore(session.view, (view) => view.state.info?.meta.name ?? 'run')
  return (
    <section className={styles['panel']} aria-label="Result">
      {json === null ? (
        <>
          <PanelHead title="Result" />
          <NoResult session={session} />
        </>
      ) : (
        <JsonViewer
          key={json.length}
          json={json}
          label="Result"
          renderHead={(tools) => (
            <PanelHead title="Result">
              {tools}
              <IconButton
                label="Save result"
                onClick={() => saveFile(`${fileNameFrom(name)}-result.json`, [json], 'application/json')}
              >
                <Download size={14} aria-hidden />
              </IconButton>
              <CopyButton label="Copy result" read={() => indentJson(json)} />
            </PanelHead>
          )}
        />
      )}
    </section>
  )
}

/** As the text view shows it. A very large one goes as it is: nobody reads it, and indenting it would hold the window up. */
function indentJson(json: string): string {
  return json.length > LARGE ? json : JSON.stringify(JSON.parse(json), null, 2)
}

function fileNameFrom(name: string): string {
  return name.replace(/[^\w.-]+/g, '-')
}

function NoResult({ session }: { session: RunSession }) {
  const view = useStore(session.view)
  const { error } = view.state
  if (error !== undefined) return <ErrorText error={error} />
  return (
    <EmptyState small title={isLiveStatus(viewStatus(view)) ? 'No result yet' : 'No result'}>
      {whyNone(view)}
    </EmptyState>
  )
}

function whyNone(view: RunView): string {
  const status = viewStatus(view)
  if (isLiveStatus(status)) return 'What the script returns appears here when the run has ended.'
  return status === 'completed' ? 'It is being read.' : `The run was ${viewVerdict(view)}.`
}

function ErrorText({ error }: { error: RunError }) {
  const place = error.line === undefined ? undefined : `${error.file ?? 'script'}:${error.line}:${error.column ?? 1}`
  return (
    <div className={styles['error']} tabIndex={0} role="group" aria-label="Error">
      <p className={styles['message']}>{error.message}</p>
      <p className={styles['place']}>
        {error.code}
        {place !== undefined && ` at ${place}`}
      </p>
      {error.stack !== undefined && <pre className={styles['stack']}>{error.stack}</pre>}
    </div>
  )
}
