// Tells when a workspace's workflow folders change: one set of watchers a workspace, shared by the sessions that look at it.

import type { Logger } from '../../engine/index.ts'
import type { WorkflowFolder } from './folders.ts'
import { watchFolder } from './watch-folder.ts'

const QUIET_MS = 100

interface Watched {
  users: number
  stop: (() => void)[]
  timer?: NodeJS.Timeout | undefined
}

export interface WatcherOptions {
  folders: (workspace: string) => WorkflowFolder[]
  /** Follows the last of several changes by 100 ms. */
  onChange: (workspace: string) => void
  logger: Logger
}

export class WorkflowWatchers {
  readonly #options: WatcherOptions
  readonly #watched = new Map<string, Watched>()

  constructor(options: WatcherOptions) {
    this.#options = options
  }

  /** Watches a workspace until the returned function is called. */
  use(workspace: string): () => void {
    const entry = this.#watched.get(workspace) ?? this.#start(workspace)
    entry.users++
    let ended = false
    return () => {
      if (ended) return
      ended = true
      entry.users--
      if (entry.users === 0) this.#end(workspace, entry)
    }
  }

  dispose(): void {
    for (const [workspace, entry] of this.#watched) this.#end(workspace, entry)
  }

  #start(workspace: string): Watched {
    const { folders, onChange, logger } = this.#options
    const entry: Watched = { users: 0, stop: [] }
    this.#watched.set(workspace, entry)
    const changed = (): void => {
      clearTimeout(entry.timer)
      entry.timer = setTimeout(() => onChange(workspace), QUIET_MS)
      entry.timer.unref()
    }
    for (const { path, writable } of folders(workspace)) {
      if (!writable) continue
      entry.stop.push(watchFolder(path, changed, (error) => logger.warn(`${path} can't be watched`, { error })))
    }
    return entry
  }

  #end(workspace: string, entry: Watched): void {
    if (this.#watched.get(workspace) === entry) this.#watched.delete(workspace)
    clearTimeout(entry.timer)
    for (const stop of entry.stop) stop()
  }
}
