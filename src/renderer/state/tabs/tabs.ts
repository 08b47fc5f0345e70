// The tabs in the middle of the window: open files and open runs.

import { asRunId, isJsonObject, type RunId } from '../../../shared/index.ts'

export type Tab =
  | { id: string; kind: 'file'; path: string; title: string }
  | { id: string; kind: 'run'; runId: RunId; title: string }
  /** A dry run of the file at `path`; the next one of the same file takes its place. */
  | { id: string; kind: 'dry'; path: string; title: string }
  /** The file at `path` beside another version of it. */
  | { id: string; kind: 'diff'; path: string; against: DiffSide; title: string }
  | { id: string; kind: 'settings'; title: string }
  /** Two runs side by side. */
  | { id: string; kind: 'compare'; a: RunId; b: RunId; title: string }

/** What a file is compared with: itself on disk, the script of a run, another file. */
export type DiffSide = { kind: 'saved' } | { kind: 'run'; runId: RunId } | { kind: 'file'; path: string }

/** A tab that shows one run. */
export type RunningTab = Extract<Tab, { kind: 'run' | 'dry' }>

export interface TabsState {
  tabs: readonly Tab[]
  active: string | null
}

export const NO_TABS: TabsState = { tabs: [], active: null }

export const fileTab = (path: string, fileName: string): Tab => ({
  id: `file:${path}`,
  kind: 'file',
  path,
  title: fileName,
})
export const settingsTab = (): Tab => ({ id: 'settings', kind: 'settings', title: 'Settings' })
export function diffTab(path: string, fileName: string, against: DiffSide): Tab {
  const other = against.kind === 'run' ? against.runId : against.kind === 'file' ? against.path : ''
  return { id: `diff:${against.kind}:${other}:${path}`, kind: 'diff', path, against, title: `${fileName} (compare)` }
}
export const runTab = (runId: RunId, title: string): Tab => ({ id: `run:${runId}`, kind: 'run', runId, title })
export const compareTab = (a: RunId, b: RunId): Tab => ({
  id: `compare:${a}:${b}`,
  kind: 'compare',
  a,
  b,
  title: 'Compare runs',
})
export const dryTab = (path: string, title: string): Tab => ({ id: `dry:${path}`, kind: 'dry', path, title })

/** The titles that more than one tab has: those tabs have to be told apart by something else. */
export function sharedTitles(tabs: readonly Tab[]): ReadonlySet<string> {
  const titles = tabs.map(({ title }) => title)
  return new Set(titles.filter((title, index) => titles.indexOf(title) !== index))
}

/** Adds the tab right of the active one, or finds it, and makes it the active one. */
export function openTab(state: TabsState, tab: Tab): TabsState {
  const known = state.tabs.findIndex((other) => other.id === tab.id)
  const tabs = [...state.tabs]
  if (known !== -1) tabs[known] = tab
  else tabs.splice(indexOfActive(state) + 1, 0, tab)
  return { tabs, active: tab.id }
}

/** Closes the tab; the one right of it becomes active, or else the one left of it. */
export function closeTab(state: TabsState, id: string): TabsState {
  const index = state.tabs.findIndex((tab) => tab.id === id)
  if (index === -1) return state
  const tabs = state.tabs.filter((tab) => tab.id !== id)
  if (state.active !== id) return { tabs, active: state.active }
  return { tabs, active: (tabs[index] ?? tabs[index - 1])?.id ?? null }
}

/** Closes comparisons of a file that is no longer open. */
export function closeDiffs(state: TabsState, path: string): TabsState {
  return state.tabs
    .filter((tab) => tab.kind === 'diff' && tab.path === path)
    .reduce((rest, tab) => closeTab(rest, tab.id), state)
}

export function activateTab(state: TabsState, id: string): TabsState {
  return state.tabs.some((tab) => tab.id === id) ? { ...state, active: id } : state
}

/** The tab `step` places from the active one, around the ends. */
export function neighbourTab(state: TabsState, step: number): string | null {
  const count = state.tabs.length
  if (count === 0) return null
  return state.tabs[(indexOfActive(state) + step + count) % count]?.id ?? null
}

/** What of the tabs is remembered: dry runs and comparisons of texts are gone with the window. */
export function rememberTabs(state: TabsState): unknown {
  return { tabs: state.tabs.filter((tab) => tab.kind !== 'dry' && tab.kind !== 'diff'), active: state.active }
}

/** The tabs from what was remembered; anything that is none is left out. */
export function recallTabs(remembered: unknown): TabsState {
  if (!isJsonObject(remembered) || !Array.isArray(remembered['tabs'])) return NO_TABS
  const tabs = remembered['tabs'].map(recallTab).filter((tab) => tab !== undefined)
  const active = tabs.find((tab) => tab.id === remembered['active']) ?? tabs[0]
  return { tabs, active: active?.id ?? null }
}

function recallTab(value: unknown): Tab | undefined {
  if (!isJsonObject(value) || typeof value['title'] !== 'string') return undefined
  if (value['kind'] === 'file' && typeof value['path'] === 'string') return fileTab(value['path'], value['title'])
  if (value['kind'] === 'settings') return settingsTab()
  if (value['kind'] === 'run' && typeof value['runId'] === 'string')
    return runTab(asRunId(value['runId']), value['title'])
  if (value['kind'] === 'compare' && typeof value['a'] === 'string' && typeof value['b'] === 'string')
    return compareTab(asRunId(value['a']), asRunId(value['b']))
  return undefined
}

function indexOfActive(state: TabsState): number {
  return state.tabs.findIndex((tab) => tab.id === state.active)
}
