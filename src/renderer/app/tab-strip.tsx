// The open files and runs. Arrows move between tabs, Delete closes one; the cross is for the mouse.

import { FileCode, FileDiff, FlaskConical, GitCompareArrows, Settings, X } from 'lucide-react'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import { useStore } from 'zustand'
import { shownRunStatus } from '../features/run/run-header.tsx'
import { viewStatus } from '../state/runs/run-view.ts'
import type { RunSession } from '../state/runs/run-session.ts'
import { formatClockTime } from '../state/format.ts'
import { sharedTitles, type Tab } from '../state/tabs/tabs.ts'
import { useApp } from '../ui/app-context.tsx'
import { cx } from '../ui/cx.ts'
import { StatusIcon } from '../ui/status-icon.tsx'
import styles from './tab-strip.module.css'

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 }

export function TabStrip() {
  const app = useApp()
  const { tabs, active } = useStore(app.tabs)
  const list = useRef<HTMLDivElement>(null)
  const shared = sharedTitles(tabs)

  const onKeyDown = (event: KeyboardEvent, tab: Tab): void => {
    const step = STEPS[event.key]
    const index = tabs.findIndex(({ id }) => id === tab.id)
    const target =
      step !== undefined
        ? tabs[(index + step + tabs.length) % tabs.length]
        : event.key === 'Home'
          ? tabs[0]
          : event.key === 'End'
            ? tabs.at(-1)
            : undefined
    if (target !== undefined) {
      event.preventDefault()
      app.activate(target.id)
      list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(target.id)}"]`)?.focus()
    } else if (event.key === 'Delete') {
      event.preventDefault()
      app.requestClose(tab.id)
    }
  }

  return (
    <div ref={list} className={styles['strip']} role="tablist" aria-label="Open files and runs">
      {tabs.map((tab) => (
        <TabItem
          key={tab.id}
          tab={tab}
          active={tab.id === active}
          namesake={shared.has(tab.title)}
          onKeyDown={onKeyDown}
        />
      ))}
    </div>
  )
}

interface TabItemProps {
  tab: Tab
  active: boolean
  /** Another tab has the same title. */
  namesake: boolean
  onKeyDown(event: KeyboardEvent, tab: Tab): void
}

function TabItem({ tab, active, namesake, onKeyDown }: TabItemProps) {
  const app = useApp()
  const dirty = useStore(app.documents.store, (all) => tab.kind === 'file' && all.get(tab.path)?.dirty === true)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (active) button.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [active])
  return (
    <div className={cx(styles['tab'], active && styles['active'])} role="presentation" data-dirty={dirty || undefined}>
      <button
        ref={button}
        type="button"
        role="tab"
        data-tab={tab.id}
        aria-selected={active}
        aria-controls={active ? 'tab-content' : undefined}
        aria-description={dirty ? 'not saved' : undefined}
        tabIndex={active ? 0 : -1}
        className={styles['button']}
        title={describeTab(tab)}
        onClick={({ detail, currentTarget }) => {
          // With the mouse one goes on to the editor, with the keys from tab to tab.
          if (detail > 0) currentTarget.blur()
          app.activate(tab.id)
        }}
        onAuxClick={(event) => event.button === 1 && app.requestClose(tab.id)}
        onKeyDown={(event) => onKeyDown(event, tab)}
      >
        <TabIcon tab={tab} />
        <span className={styles['title']}>{tab.title}</span>
        {namesake && <Distinction tab={tab} />}
      </button>
      <span className={styles['end']} aria-hidden>
        {dirty && <span className={styles['dot']} />}
        <button
          type="button"
          tabIndex={-1}
          className={styles['close']}
          title={`Close ${tab.title}`}
          onClick={() => app.requestClose(tab.id)}
        >
          <X size={13} />
        </button>
      </span>
    </div>
  )
}

function describeTab(tab: Tab): string {
  if (tab.kind === 'run') return `${tab.title}\nRun ${tab.runId}`
  if (tab.kind === 'compare') return `Runs ${tab.a} and ${tab.b}`
  return tab.kind === 'settings' ? tab.title : tab.path
}

/** Where a file is, when a run began. Names stay what they are: this is for eyes, others have the tab's description. */
function Distinction({ tab }: { tab: Tab }) {
  const { sessions } = useApp()
  const session = tab.kind === 'run' ? sessions.of(tab) : undefined
  if (session !== undefined) return <StartTime session={session} />
  if (tab.kind === 'run' || tab.kind === 'compare' || tab.kind === 'settings') return null
  return <Aside>{tab.path.split(/[\\/]/).at(-2) ?? ''}</Aside>
}

function StartTime({ session }: { session: RunSession }) {
  const startedAt = useStore(session.view, ({ state, row }) => state.startedAt ?? row?.startedAt)
  return startedAt === undefined ? null : <Aside>{formatClockTime(startedAt)}</Aside>
}

function Aside({ children }: { children: string }) {
  return (
    <span className={styles['aside']} aria-hidden>
      {children}
    </span>
  )
}

function TabIcon({ tab }: { tab: Tab }) {
  const { sessions } = useApp()
  if (tab.kind === 'file') return <FileCode size={14} aria-hidden className={styles['icon']} />
  if (tab.kind === 'dry') return <FlaskConical size={14} aria-hidden className={styles['icon']} />
  if (tab.kind === 'diff') return <FileDiff size={14} aria-hidden className={styles['icon']} />
  if (tab.kind === 'settings') return <Settings size={14} aria-hidden className={styles['icon']} />
  if (tab.kind === 'compare') return <GitCompareArrows size={14} aria-hidden className={styles['icon']} />
  const session = sessions.of(tab)
  return session === undefined ? null : <RunIcon session={session} />
}

function RunIcon({ session }: { session: RunSession }) {
  const status = useStore(session.view, viewStatus)
  const degraded = useStore(session.view, (view) => view.state.degraded)
  return <StatusIcon status={shownRunStatus(status, degraded)} />
}
