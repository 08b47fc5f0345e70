// Two runs side by side: what they were given, what they took, what they returned, and what became of each call.

import { useEffect, useState, type ReactNode } from 'react'
import type { RunComparison, RunRow } from '../../../shared/index.ts'
import { messageOf } from '../../state/message-of.ts'
import type { Tab } from '../../state/tabs/tabs.ts'
import { useApp } from '../../ui/app-context.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { ChangeItem } from './change-item.tsx'
import { ComparedCalls } from './compared-calls.tsx'
import { ComparedFigures } from './compared-figures.tsx'
import styles from './compare-tab.module.css'

export function CompareTab({ tab: { a, b } }: { tab: Extract<Tab, { kind: 'compare' }> }) {
  const { connection } = useApp()
  const [loaded, setLoaded] = useState<{ comparison?: RunComparison; failure?: string }>({})
  useEffect(() => {
    let current = true
    connection.call('run.compare', { a, b }).then(
      (comparison) => current && setLoaded({ comparison }),
      (error: unknown) => current && setLoaded({ failure: messageOf(error) }),
    )
    return () => {
      current = false
    }
  }, [connection, a, b])
  const { comparison, failure } = loaded
  if (failure !== undefined) return <EmptyState title="The runs can't be compared">{failure}</EmptyState>
  if (comparison === undefined) return null
  return (
    <section className={styles['compare']} aria-label="Comparison">
      <header className={styles['head']}>
        <RunHead name="First" row={comparison.a} />
        <RunHead name="Second" row={comparison.b} />
      </header>
      <div className={styles['body']}>
        <div className={styles['facts']} tabIndex={0} role="group" aria-label="Differences">
          <ComparedFigures comparison={comparison} />
          <Inputs comparison={comparison} />
          <ResultChanges comparison={comparison} />
        </div>
        <ComparedCalls comparison={comparison} />
      </div>
    </section>
  )
}

function RunHead({ name, row }: { name: string; row: RunRow }) {
  const app = useApp()
  const degraded = row.status === 'completed' && row.degraded
  const words = degraded ? 'completed with failures' : row.status === 'error' ? 'failed' : row.status
  return (
    <div className={styles['run']}>
      <span className={styles['which']}>{name}</span>
      <button type="button" className={styles['open']} title={`Open run ${row.runId}`} onClick={() => app.openRun(row)}>
        <StatusIcon status={degraded ? 'degraded' : row.status} />
        <span className={styles['name']}>{row.title ?? row.workflow}</span>
      </button>
      <span className={styles['when']}>
        {words} · {new Date(row.startedAt).toLocaleString('en-GB')}
      </span>
    </div>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles['section']}>
      <h3>{title}</h3>
      {children}
    </div>
  )
}

function Inputs({ comparison: { script, inputs } }: { comparison: RunComparison }) {
  return (
    <Section title="Given">
      {script.same && inputs.length === 0 ? (
        <p className={styles['same']}>The same script, args, back end and limits.</p>
      ) : (
        <ul className={styles['changes']}>
          {!script.same && <li>The script is another version.</li>}
          {inputs.map((change) => (
            <ChangeItem key={change.field} name={change.field} change={change} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function ResultChanges({ comparison: { result } }: { comparison: RunComparison }) {
  return (
    <Section title="Result">
      {result.same ? (
        <p className={styles['same']}>Both returned the same.</p>
      ) : (
        <ul className={styles['changes']}>
          {result.changes.map((change) => (
            <ChangeItem
              key={change.pointer}
              name={change.pointer === '' ? 'the whole' : change.pointer}
              change={change}
            />
          ))}
          {result.more > 0 && <li>{result.more.toLocaleString('en-US')} more places differ.</li>}
        </ul>
      )}
    </Section>
  )
}
