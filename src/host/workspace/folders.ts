// Where named workflows are looked for, in the order in which one hides another.

import { join, resolve } from 'node:path'
import type { WorkflowEntry } from '../../shared/index.ts'

export interface WorkflowFolder {
  path: string
  source: WorkflowEntry['source']
  /** The folder that its files may not lead out of by links. */
  root: string
  writable: boolean
}

export interface FolderOptions {
  configDir: string
  home: string
  bundledWorkflows: string
}

/** The folders for a workspace, first come first served; a folder that turns up twice counts once. */
export function workflowFolders(workspace: string, options: FolderOptions): WorkflowFolder[] {
  const { configDir, home, bundledWorkflows } = options
  const user = join(configDir, 'workflows')
  const claude = join(home, '.claude', 'workflows')
  const folders: WorkflowFolder[] = [
    { path: join(workspace, 'workflows'), source: 'project', root: workspace, writable: true },
    { path: join(workspace, '.weft', 'workflows'), source: 'weft', root: workspace, writable: true },
    { path: join(workspace, '.claude', 'workflows'), source: 'claude', root: workspace, writable: true },
    { path: user, source: 'user', root: user, writable: true },
    { path: claude, source: 'claude', root: claude, writable: true },
    { path: resolve(bundledWorkflows), source: 'bundled', root: resolve(bundledWorkflows), writable: false },
  ]
  const seen = new Set<string>()
  return folders.filter(({ path }) => !seen.has(path) && seen.add(path))
}

/** What a script's file may end in. */
export const SCRIPT_ENDING = /\.(?:js|mjs|ts)$/

/** `review` for `review.js`. */
export function stemOf(fileName: string): string {
  return fileName.replace(SCRIPT_ENDING, '')
}

/** False for declarations and tests, which share the endings. */
export function looksLikeScript(fileName: string): boolean {
  return (
    SCRIPT_ENDING.test(fileName) && !/\.(?:d|test|spec)\.(?:js|mjs|ts)$/.test(fileName) && !fileName.startsWith('.')
  )
}
