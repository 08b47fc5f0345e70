// What is wrong with the active file, worst first; a click or Enter goes to the place.

import { CircleX, Info, TriangleAlert, Wrench } from 'lucide-react'
import { useStore } from 'zustand'
import { plural, type Diagnostic } from '../../../shared/index.ts'
import { useApp } from '../../ui/app-context.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PanelHead } from '../../ui/panel-head.tsx'
import styles from './problems.module.css'

const ICONS = { error: CircleX, warning: TriangleAlert, info: Info }

export function Problems({ path }: { path: string }) {
  const app = useApp()
  const document = useStore(app.documents.store, (documents) => documents.get(path))
  const diagnostics = document?.diagnostics ?? []
  return (
    <section className={styles['problems']} aria-label="Problems">
      <PanelHead title="Problems" count={diagnostics.length}>
        {null}
      </PanelHead>
      {document?.checkError != null && (
        <EmptyState small title="The script could not be checked">
          {document.checkError}
        </EmptyState>
      )}
      {diagnostics.length > 0 ? (
        <ul className={styles['list']} aria-label={plural(diagnostics.length, 'problem')}>
          {diagnostics.map((diagnostic) => (
            <Problem
              key={`${diagnostic.code} ${diagnostic.line}:${diagnostic.column} ${diagnostic.message}`}
              diagnostic={diagnostic}
              onOpen={() => app.revealPlace(path, diagnostic)}
              onFix={() => diagnostic.fix && app.documents.applyFix(path, diagnostic.fix)}
            />
          ))}
        </ul>
      ) : (
        document !== undefined &&
        document.checkError === null && (
          <EmptyState small title="No problems">
            A dry run shows what the script would do.
          </EmptyState>
        )
      )}
    </section>
  )
}

interface ProblemProps {
  diagnostic: Diagnostic
  onOpen(): void
  onFix(): void
}

function Problem({ diagnostic, onOpen, onFix }: ProblemProps) {
  const { severity, line, column, message, hint, code } = diagnostic
  const Icon = ICONS[severity]
  return (
    <li className={styles['item']}>
      <button type="button" className={styles['problem']} onClick={onOpen}>
        <Icon size={14} role="img" aria-label={severity} className={cx(styles[severity])} />
        <span>
          <span className={styles['place']}>
            {line}:{column}
          </span>{' '}
          {message}
          {hint !== undefined && <span className={styles['hint']}> {hint}</span>}
        </span>
        <span className={styles['code']}>{code}</span>
      </button>
      {diagnostic.fix !== undefined && (
        <button type="button" className={styles['fix']} onClick={onFix}>
          <Wrench size={12} aria-hidden />
          {diagnostic.fix.title}
        </button>
      )}
    </li>
  )
}
