// The middle of the window while nothing is open: what to do next.

import { FileCode, Plus } from 'lucide-react'
import { useStore } from 'zustand'
import type { WorkflowEntry } from '../../shared/index.ts'
import { useApp } from '../ui/app-context.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { shortcutText } from '../ui/shortcut-text.ts'
import styles from './welcome.module.css'

const SUGGESTED = 3

export function Welcome() {
  const app = useApp()
  const { entries } = useStore(app.workflows.store)
  const usable = entries.filter((entry) => entry.error === null && entry.shadowedBy === null)
  return (
    <div className={styles['welcome']}>
      <Mark />
      <EmptyState
        title={usable.length > 0 ? 'Open a workflow to begin' : 'Write your first workflow'}
        actions={
          <>
            <Button
              look={usable.length > 0 ? 'outlined' : 'primary'}
              icon={<Plus size={14} aria-hidden />}
              onClick={() => app.openDialog({ kind: 'new-workflow' })}
            >
              New workflow
            </Button>
            <Suggestions entries={usable.slice(0, SUGGESTED)} />
          </>
        }
      >
        {usable.length > 0
          ? 'A dry run shows what it would do: which agents, how many at once, how long. It costs nothing and touches nothing.'
          : 'Begin with a pattern. A dry run of it is one click away: it costs nothing and touches nothing.'}
      </EmptyState>
      <dl className={styles['keys']}>
        <Shortcut name="Quick open" keys="$mod+P" />
        <Shortcut name="Command palette" keys="$mod+Shift+P" />
        <Shortcut name="Dry run" keys="$mod+Enter" />
        <Shortcut name="Keyboard shortcuts" keys="Shift+?" />
      </dl>
    </div>
  )
}

/** Warp and weft. */
function Mark() {
  return (
    <svg className={styles['mark']} width="56" height="56" viewBox="0 0 56 56" aria-hidden>
      <path className={styles['warp']} d="M14 6v44M28 6v44M42 6v44" />
      <path className={styles['weft']} d="M6 16h5m6 0h22m6 0h5M6 28h19m6 0h19M6 40h5m6 0h22m6 0h5" />
    </svg>
  )
}

function Suggestions({ entries }: { entries: readonly WorkflowEntry[] }) {
  const app = useApp()
  return (
    <>
      {entries.map((entry) => (
        <Button
          key={entry.path}
          icon={<FileCode size={14} aria-hidden />}
          title={entry.description ?? entry.path}
          onClick={() => void app.openFile(entry.path)}
        >
          {entry.name}
        </Button>
      ))}
    </>
  )
}

function Shortcut({ name, keys }: { name: string; keys: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <kbd>{shortcutText(keys)}</kbd>
      </dd>
    </div>
  )
}
