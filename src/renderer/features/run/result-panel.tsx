// What the run returned, or why it returned nothing.

import { useMemo } from 'react'
import { useStore } from 'zustand'
import type { RunError } from '../../../shared/index.ts'
import type { RunSession } from '../../state/runs/run-session.ts'
import { isLiveStatus, viewStatus, viewVerdict, type RunView } from '../../state/runs/run-view.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PanelHead } from '../../ui/panel-head.tsx'
import { JsonLines } from '../../ui/json-lines.tsx'
import styles from './result-panel.module.css'

export function ResultPanel({ session }: { session: RunSession }) {
  const json = useStore(session.view, (view) => view.result?.json ?? null)
  const text = useMemo(() => (json === null ? null : JSON.stringify(JSON.parse(json), null, 2)), [json])
  return (
    <section className={styles['panel']} aria-label="Result">
      <PanelHead title="Result">{text !== null && <CopyButton label="Copy result" read={() => text} />}</PanelHead>
      {text === null ? <NoResult session={session} /> : <JsonLines text={text} label="Result as JSON" />}
    </section>
  )
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
