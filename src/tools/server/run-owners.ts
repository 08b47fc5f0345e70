// Whose run is whose. A session sees its own; one whose session has ended belongs to later sessions of the same client name
// and workspace.

import type { RunId, RunRow } from '../../shared/index.ts'

interface SessionView {
  id: string
  clientName: string | undefined
  workspace: string
}

export class RunOwners {
  readonly #owners = new Map<RunId, string>()
  /** Connections of each session. */
  readonly #live = new Map<string, number>()

  sessionBegan(id: string): void {
    this.#live.set(id, (this.#live.get(id) ?? 0) + 1)
  }

  sessionEnded(id: string): void {
    const left = (this.#live.get(id) ?? 1) - 1
    if (left > 0) this.#live.set(id, left)
    else this.#live.delete(id)
  }

  claim(runId: RunId, session: string): void {
    this.#owners.set(runId, session)
  }

  /** `shared` is the user's leave for every harness to see all harnesses' runs. */
  sees({ id, clientName, workspace }: SessionView, row: RunRow, shared: boolean): boolean {
    if (row.startedBy.kind !== 'harness') return false
    if (shared) return true
    const owner = this.#owners.get(row.runId)
    if (owner === id) return true
    if (owner !== undefined && this.#live.has(owner)) return false
    return row.startedBy.name === clientName && row.workspace === workspace
  }

  deleted(runIds: readonly RunId[]): void {
    for (const runId of runIds) this.#owners.delete(runId)
  }
}
