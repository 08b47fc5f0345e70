// Every call of both runs by its fate. A call opens to what changed in it.

import { ChevronRight } from 'lucide-react'
import { useRef, useState } from 'react'
import type { CallFate, ComparedCall, RunComparison } from '../../../shared/index.ts'
import { formatCount, formatDuration } from '../../state/format.ts'
import { useApp } from '../../ui/app-context.tsx'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PanelHead } from '../../ui/panel-head.tsx'
import { useVirtual } from '../../ui/use-virtual.ts'
import { ChangeItem } from './change-item.tsx'
import styles from './compare-tab.module.css'

const FATES: readonly CallFate[] = ['changed', 'added', 'removed', 'moved', 'same']
const TONES = { changed: 'warning', added: 'running', removed: 'failed', moved: 'replayed', same: 'neutral' } as const
const ROW_HEIGHT = 28

type Shown = CallFate | 'all' | 'different'

export function ComparedCalls({ comparison }: { comparison: RunComparison }) {
  const { calls, fates } = comparison
  const different = calls.length - fates.same
  const [shown, setShown] = useState<Shown>(different > 0 ? 'different' : 'all')
  const rows = calls.filter(({ fate }) => shown === 'all' || (shown === 'different' ? fate !== 'same' : fate === shown))
  return (
    <section className={styles['calls']} aria-label="Calls">
      <PanelHead title="Calls" count={rows.length}>
        <select
          className={styles['filter']}
          aria-label="Which calls"
          value={shown}
          // The options below are all there are.
          onChange={({ target }) => setShown(target.value as Shown)}
        >
          <option value="different">Different ({different})</option>
          <option value="all">All ({calls.length})</option>
          {FATES.map((fate) => (
            <option key={fate} value={fate}>
              {fate} ({fates[fate]})
            </option>
          ))}
        </select>
      </PanelHead>
      {rows.length === 0 ? (
        <EmptyState small title="No such calls">
          {different === 0 ? 'Both runs made the same calls and got the same answers.' : 'Choose others above.'}
        </EmptyState>
      ) : (
        <CallRows key={shown} rows={rows} comparison={comparison} />
      )}
    </section>
  )
}

function CallRows({ rows, comparison }: { rows: readonly ComparedCall[]; comparison: RunComparison }) {
  const scroller = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const virtualizer = useVirtual({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
  })
  const toggle = (index: number): void => {
    const next = new Set(open)
    if (!next.delete(index)) next.add(index)
    setOpen(next)
  }
  return (
    <div ref={scroller} className={styles['scroller']}>
      <ul className={styles['sizer']} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const call = rows[item.index]
          return (
            call && (
              <li
                key={item.key}
                ref={virtualizer.measureElement}
                data-index={item.index}
                className={styles['call']}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <CallRow call={call} open={open.has(item.index)} onToggle={() => toggle(item.index)} />
                {open.has(item.index) && <CallDetails call={call} comparison={comparison} />}
              </li>
            )
          )
        })}
      </ul>
    </div>
  )
}

interface CallRowProps {
  call: ComparedCall
  open: boolean
  onToggle(): void
}

function CallRow({ call, open, onToggle }: CallRowProps) {
  const changed = call.changes.map(({ field }) => field.replace(/^options\./, ''))
  return (
    <button type="button" className={styles['callRow']} aria-expanded={open} onClick={onToggle}>
      <ChevronRight size={13} aria-hidden className={styles['chevron']} />
      <span className={styles['callLabel']} title={call.label}>
        {call.label}
      </span>
      <span className={styles['changed']}>{changed.join(', ')}</span>
      <span className={styles['number']}>{timesOf(call)}</span>
      <Badge tone={TONES[call.fate]}>{call.fate}</Badge>
    </button>
  )
}

function timesOf({ durationMs: { a, b } }: ComparedCall): string {
  const text = (ms: number | null): string => (ms === null ? '–' : formatDuration(ms))
  return `${text(a)} → ${text(b)}`
}

function CallDetails({ call, comparison }: { call: ComparedCall; comparison: RunComparison }) {
  const app = useApp()
  const tokens = call.outputTokens
  const count = (value: number | null): string => (value === null ? '–' : formatCount(value))
  return (
    <div className={styles['details']}>
      <p className={styles['same']}>
        {call.status.a ?? 'not called'} → {call.status.b ?? 'not called'} · {count(tokens.a)} → {count(tokens.b)} tokens
        {call.movedFrom !== undefined && ` · was at ${call.movedFrom}`}
      </p>
      <ul className={styles['changes']}>
        {call.changes.map((change) => (
          <ChangeItem key={change.field} name={change.field} change={change} />
        ))}
      </ul>
      <div className={styles['links']}>
        {call.a !== null && <OpenAt name="first" onOpen={() => app.openRun(comparison.a, at(call.a))} />}
        {call.b !== null && <OpenAt name="second" onOpen={() => app.openRun(comparison.b, at(call.b))} />}
      </div>
    </div>
  )
}

function at(agent: ComparedCall['a']) {
  return agent === null ? undefined : { agent }
}

function OpenAt({ name, onOpen }: { name: string; onOpen(): void }) {
  return (
    <button type="button" className={styles['link']} onClick={onOpen}>
      Show in the {name} run
    </button>
  )
}
