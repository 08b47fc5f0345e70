// Finding runs again: the list narrowed by status, workflow, date and text, and the places in which a text was found.

import { createStore } from 'zustand/vanilla'
import type { HostCallResults, HostCalls, HostClient, RunRow, RunStatus } from '../../../shared/index.ts'
import { messageOf } from '../message-of.ts'
import { sortRows } from './run-list.ts'

export type RunHit = HostCallResults['run.search']['hits'][number]

export type StatusFilter = 'any' | 'live' | 'completed' | 'degraded' | 'failed' | 'cancelled' | 'interrupted'
export type PeriodFilter = 'any' | 'day' | 'week' | 'month' | 'range'

export interface RunFilter {
  text: string
  status: StatusFilter
  /** Empty for any. */
  workflow: string
  period: PeriodFilter
  /** Of the period `range`: days as `2026-12-01`, both included; empty for an open end. */
  from: string
  to: string
}

export interface FinderState {
  filter: RunFilter
  /** Null while nothing is filtered: then the whole list is shown. */
  found: { rows: readonly RunRow[]; total: number; hits: readonly RunHit[]; failure: string | null } | null
  searching: boolean
}

export const NO_FILTER: RunFilter = { text: '', status: 'any', workflow: '', period: 'any', from: '', to: '' }

const STATUSES: Record<Exclude<StatusFilter, 'any'>, RunStatus[]> = {
  live: ['queued', 'running', 'paused'],
  completed: ['completed'],
  degraded: ['completed'],
  failed: ['error'],
  cancelled: ['cancelled'],
  interrupted: ['interrupted'],
}

const DAY_MS = 86_400_000
const PERIODS: Record<Exclude<PeriodFilter, 'any' | 'range'>, number> = {
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
}

const PAUSE_MS = 200
const MOST_ROWS = 200
const MOST_HITS = 50
/** Shorter texts are in everything. */
const SHORTEST_SEARCH = 2

export function createRunFinder(client: HostClient, workspace: string, now: () => number = Date.now) {
  const store = createStore<FinderState>(() => ({ filter: NO_FILTER, found: null, searching: false }))
  let timer: ReturnType<typeof setTimeout> | undefined
  let asked = 0

  const ask = async (): Promise<void> => {
    const { filter } = store.getState()
    const mine = ++asked
    const [list, search] = await Promise.allSettled([
      client.call('run.list', listParams(filter, workspace, now())),
      filter.text.trim().length < SHORTEST_SEARCH
        ? { hits: [] }
        : client.call('run.search', { text: filter.text.trim(), limit: MOST_HITS }),
    ])
    // An answer to an older question.
    if (mine !== asked) return
    const failed = [list, search].find((answer) => answer.status === 'rejected')
    const rows = list.status === 'fulfilled' ? list.value.runs.filter((row) => passes(row, filter)) : []
    store.setState({
      searching: false,
      found: {
        rows: sortRows(rows),
        total: list.status === 'fulfilled' ? list.value.total : 0,
        hits: search.status === 'fulfilled' ? search.value.hits.filter(({ row }) => row.workspace === workspace) : [],
        failure: failed === undefined ? null : messageOf(failed.reason),
      },
    })
  }

  const askSoon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void ask(), PAUSE_MS)
  }

  // What happens to runs may bring them into what is looked for, or take them out.
  const again = (): void => {
    if (store.getState().found !== null) askSoon()
  }
  client.on('run.row', again)
  client.on('run.deleted', again)

  return {
    store,
    change(part: Partial<RunFilter>): void {
      const filter = { ...store.getState().filter, ...part }
      clearTimeout(timer)
      if (isEmptyFilter(filter)) {
        asked++
        store.setState({ filter, found: null, searching: false })
        return
      }
      store.setState({ filter, searching: true })
      askSoon()
    },
  }
}

export function isEmptyFilter({ text, status, workflow, period }: RunFilter): boolean {
  return text.trim() === '' && status === 'any' && workflow === '' && period === 'any'
}

function listParams(filter: RunFilter, workspace: string, now: number): HostCalls['run.list']['params'] {
  const text = filter.text.trim()
  return {
    workspace,
    limit: MOST_ROWS,
    ...(text !== '' && { text }),
    ...(filter.status !== 'any' && { status: STATUSES[filter.status] }),
    ...(filter.workflow !== '' && { workflow: filter.workflow }),
    ...periodParams(filter, now),
  }
}

function periodParams({ period, from, to }: RunFilter, now: number): { since?: number; until?: number } {
  if (period === 'any') return {}
  if (period !== 'range') return { since: now - PERIODS[period] }
  const [first, last] = [startOfDay(from, 0), startOfDay(to, 1)]
  return { ...(first !== undefined && { since: first }), ...(last !== undefined && { until: last }) }
}

/** When that day begins here, or one so many days later; undefined for what is no day. */
function startOfDay(day: string, later: number): number | undefined {
  const [year = NaN, month = NaN, date = NaN] = day.split('-').map(Number)
  const time = new Date(year, month - 1, date + later).getTime()
  return Number.isNaN(time) ? undefined : time
}

// The host knows `completed` alone: whether something failed on the way is told apart here.
function passes(row: RunRow, { status }: RunFilter): boolean {
  if (status === 'degraded') return row.degraded
  return status !== 'completed' || !row.degraded
}
