// What the script said and what the run warns of, in the order it happened; stays at the end while one is there.

import { useVirtual } from '../../ui/use-virtual.ts'
import { useEffect, useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import type { LogLine, RunWarning } from '../../../shared/index.ts'
import { formatClockTime } from '../../state/format.ts'
import type { RunSession } from '../../state/runs/run-session.ts'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PanelHead } from '../../ui/panel-head.tsx'
import styles from './log-panel.module.css'

type Entry = { kind: 'log'; line: LogLine } | { kind: 'warning'; line: RunWarning }

const LINE_HEIGHT = 20

export function LogPanel({ session }: { session: RunSession }) {
  const log = useStore(session.view, (view) => view.state.log)
  const warnings = useStore(session.view, (view) => view.state.warnings)
  const entries = useMemo(() => mergeEntries(log, warnings), [log, warnings])
  return (
    <section className={styles['panel']} aria-label="Log">
      <PanelHead title="Log" count={entries.length} />
      {entries.length === 0 ? (
        <EmptyState small title="Nothing logged">
          log() and console lines and warnings of the run appear here.
        </EmptyState>
      ) : (
        <LogLines session={session} entries={entries} />
      )}
    </section>
  )
}

function LogLines({ session, entries }: { session: RunSession; entries: readonly Entry[] }) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtual({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    getItemKey: (index) => entries[index]?.line.seq ?? index,
    overscan: 15,
    anchorTo: 'end',
    followOnAppend: true,
  })
  const place = useStore(session.logPlace)
  const gone = useRef(0)
  useEffect(() => {
    const index = entries.findIndex((entry) => entry.line.seq === place.seq)
    if (index === -1 || gone.current === place.serial) return
    gone.current = place.serial
    virtualizer.scrollToIndex(index, { align: 'center' })
  }, [place, entries, virtualizer])
  return (
    // Scrolled by keys, so it has to take the focus.
    <div ref={scroller} className={styles['scroller']} tabIndex={0} role="group" aria-label="Log lines">
      <ol className={styles['lines']} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const entry = entries[item.index]
          return (
            entry && (
              <li
                key={item.key}
                ref={virtualizer.measureElement}
                data-index={item.index}
                className={cx(styles['line'], styles[toneOf(entry)], entry.line.seq === place.seq && styles['found'])}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <time className={styles['time']}>{formatClockTime(entry.line.at)}</time>
                <span className={styles['message']}>{textOf(entry)}</span>
              </li>
            )
          )
        })}
      </ol>
    </div>
  )
}

function mergeEntries(log: readonly LogLine[], warnings: readonly RunWarning[]): Entry[] {
  const entries: Entry[] = [
    ...log.map((line): Entry => ({ kind: 'log', line })),
    ...warnings.map((line): Entry => ({ kind: 'warning', line })),
  ]
  return entries.sort((a, b) => a.line.seq - b.line.seq)
}

function textOf(entry: Entry): string {
  if (entry.kind === 'log') return entry.line.message
  const { file, line, column, message } = entry.line
  return line === undefined ? message : `${file === undefined ? '' : `${file}:`}${line}:${column ?? 1} ${message}`
}

function toneOf(entry: Entry): string {
  if (entry.kind === 'warning') return 'warn'
  return entry.line.level === 'log' ? 'plain' : entry.line.level
}
