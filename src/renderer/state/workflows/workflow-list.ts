// The named workflows of the workspace, of the user, and the bundled ones; read again whenever the host says they changed.

import { createStore } from 'zustand/vanilla'
import type { HostClient, WorkflowEntry } from '../../../shared/index.ts'
import { messageOf } from '../message-of.ts'

export interface WorkflowListState {
  entries: readonly WorkflowEntry[]
  load: { kind: 'loading' } | { kind: 'ready' } | { kind: 'failed'; message: string }
}

export function createWorkflowList(client: HostClient, workspace: string) {
  const store = createStore<WorkflowListState>(() => ({ entries: [], load: { kind: 'loading' } }))
  return {
    store,
    async refresh(): Promise<void> {
      try {
        const { workflows } = await client.call('workflows.list', { workspace })
        store.setState({ entries: workflows, load: { kind: 'ready' } })
      } catch (error) {
        store.setState({ load: { kind: 'failed', message: messageOf(error) } })
      }
    },
  }
}

export type WorkflowList = ReturnType<typeof createWorkflowList>

const SOURCE_WORDS: Record<WorkflowEntry['source'], string> = {
  project: 'Project',
  weft: 'Project',
  claude: 'Project',
  user: 'User',
  bundled: 'Bundled',
}

export interface WorkflowSection {
  title: string
  entries: WorkflowEntry[]
}

/** Project, User, Bundled, in this order, each by name; empty ones are left out. */
export function groupWorkflows(entries: readonly WorkflowEntry[]): WorkflowSection[] {
  const sections = new Map<string, WorkflowEntry[]>([
    ['Project', []],
    ['User', []],
    ['Bundled', []],
  ])
  for (const entry of entries) sections.get(SOURCE_WORDS[entry.source])?.push(entry)
  return [...sections]
    .filter(([, members]) => members.length > 0)
    .map(([title, members]) => ({
      title,
      entries: members.sort((a, b) => a.name.localeCompare(b.name, 'en') || a.path.localeCompare(b.path, 'en')),
    }))
}

/** The folder that a badge names, for entries of one section that come from several. */
export function sourceBadge(source: WorkflowEntry['source']): string {
  if (source === 'weft') return '.weft'
  if (source === 'claude') return '.claude'
  return source
}
