// What narrows the list of runs: a text at once, and by status, workflow and date once the filters are opened.

import { X } from 'lucide-react'
import { useId } from 'react'
import { useStore } from 'zustand'
import {
  isEmptyFilter,
  NO_FILTER,
  type PeriodFilter,
  type RunFilter,
  type StatusFilter,
} from '../../state/runs/run-finder.ts'
import { useApp } from '../../ui/app-context.tsx'
import { IconButton } from '../../ui/button.tsx'
import styles from './run-filters.module.css'

const STATUSES: readonly [StatusFilter, string][] = [
  ['any', 'Any status'],
  ['live', 'Live'],
  ['completed', 'Completed'],
  ['degraded', 'Completed with failures'],
  ['failed', 'Failed'],
  ['cancelled', 'Cancelled'],
  ['interrupted', 'Interrupted'],
]
const PERIODS: readonly [PeriodFilter, string][] = [
  ['any', 'Any time'],
  ['day', 'Last 24 hours'],
  ['week', 'Last 7 days'],
  ['month', 'Last 30 days'],
  ['range', 'From … to …'],
]

export function RunFilters({ open, onReset }: { open: boolean; onReset(): void }) {
  const { finder } = useApp()
  const filter = useStore(finder.store, (state) => state.filter)
  const searching = useStore(finder.store, (state) => state.searching)
  const reset = (): void => {
    finder.change(NO_FILTER)
    onReset()
  }
  return (
    <search className={styles['filters']} aria-busy={searching}>
      <div className={styles['line']}>
        <input
          id="search-runs"
          type="search"
          className={styles['text']}
          aria-label="Search runs"
          placeholder="Search names, prompts, results, logs"
          spellCheck={false}
          value={filter.text}
          onChange={({ target }) => finder.change({ text: target.value })}
          onKeyDown={(event) => {
            if (event.key === 'Escape') reset()
            if (event.key === 'ArrowDown') focusList(event.currentTarget)
          }}
        />
        {!isEmptyFilter(filter) && (
          <IconButton label="Reset search and filters" onClick={reset}>
            <X size={13} aria-hidden />
          </IconButton>
        )}
      </div>
      {open && <Selects filter={filter} change={finder.change} />}
    </search>
  )
}

function Selects({ filter, change }: { filter: RunFilter; change(part: Partial<RunFilter>): void }) {
  const { runs, workflows } = useApp()
  const rows = useStore(runs.store, (list) => list.rows)
  const entries = useStore(workflows.store, (list) => list.entries)
  const names = [...new Set([...rows.map((row) => row.workflow), ...entries.map((entry) => entry.name)])].sort()
  return (
    <div className={styles['selects']}>
      <Choice
        label="Status"
        value={filter.status}
        options={STATUSES}
        // The options are all there are.
        onChange={(status) => change({ status: status as StatusFilter })}
      />
      <Choice
        label="Started"
        value={filter.period}
        options={PERIODS}
        // As above.
        onChange={(period) => change({ period: period as PeriodFilter })}
      />
      {filter.period === 'range' && (
        <>
          <Day label="Started from" value={filter.from} onChange={(from) => change({ from })} />
          <Day label="Started until" value={filter.to} onChange={(to) => change({ to })} />
        </>
      )}
      <Choice
        label="Workflow"
        value={filter.workflow}
        options={[['', 'Any workflow'], ...names.map((name): [string, string] => [name, name])]}
        onChange={(workflow) => change({ workflow })}
      />
    </div>
  )
}

function Day({ label, value, onChange }: { label: string; value: string; onChange(day: string): void }) {
  return (
    <input
      type="date"
      className={styles['select']}
      aria-label={label}
      title={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

interface ChoiceProps {
  label: string
  value: string
  options: readonly (readonly [string, string])[]
  onChange(value: string): void
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <>
      <label htmlFor={id} className="unseen">
        {label}
      </label>
      <select id={id} className={styles['select']} value={value} onChange={({ target }) => onChange(target.value)}>
        {options.map(([key, words]) => (
          <option key={key} value={key}>
            {words}
          </option>
        ))}
      </select>
    </>
  )
}

function focusList(input: HTMLElement): void {
  input.closest('nav')?.querySelector<HTMLElement>('li > button')?.focus()
}
