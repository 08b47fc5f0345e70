// Tells all sessions what changed: rows of runs and the host's own state, each at most once a tenth of a second.

import type { Logger } from '../../engine/index.ts'
import type { HostEventName, HostEvents, HostStatus, RunEvent, RunId, RunRow } from '../../shared/index.ts'
import type { Session } from './session.ts'

const ROW_MS = 100
const STATUS_MS = 100
/** Changes that people wait for: told within a frame. */
const URGENT: ReadonlySet<RunEvent['type']> = new Set(['run-started', 'run-paused', 'run-continued', 'run-ended'])
const FRAME_MS = 16

export interface PublisherOptions {
  readRow: (runId: RunId) => RunRow | undefined
  readStatus: () => HostStatus
  logger: Logger
}

export class Publisher {
  readonly sessions = new Set<Session>()
  readonly #options: PublisherOptions
  readonly #changed = new Set<RunId>()
  #rowTimer: NodeJS.Timeout | undefined
  #rowsDueAt = Infinity
  #statusTimer: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: PublisherOptions) {
    this.#options = options
  }

  /** Events of a run that were just stored. */
  runStored(runId: RunId, events: readonly RunEvent[]): void {
    for (const session of this.sessions) session.pushEvents(runId, events)
    this.#changed.add(runId)
    this.#scheduleRows(events.some((event) => URGENT.has(event.type)) ? FRAME_MS : ROW_MS)
    this.statusChanged()
  }

  statusChanged(): void {
    if (this.#closed) return
    this.#statusTimer ??= setTimeout(() => {
      this.#statusTimer = undefined
      if (this.#wanted('host.status')) this.#tell('host.status', this.#options.readStatus())
    }, STATUS_MS)
  }

  workflowsChanged(workspace: string): void {
    for (const session of this.sessions) {
      if (session.looksAt(workspace)) session.emit('workflows.changed', { workspace })
    }
  }

  /** A run came or changed in another way than by an event. */
  runChanged(runId: RunId): void {
    this.#changed.add(runId)
    this.#scheduleRows(FRAME_MS)
  }

  runsDeleted(runIds: RunId[]): void {
    for (const runId of runIds) this.#changed.delete(runId)
    this.#tell('run.deleted', { runIds })
  }

  runPinned(runId: RunId, pinned: boolean): void {
    this.#tell('run.pinned', { runId, pinned })
  }

  /** Tells of a harness's wish those who can answer it, and the harness's own session. */
  tellApproval<Name extends 'approval.asked' | 'approval.answered'>(
    name: Name,
    payload: HostEvents[Name],
    own: string | undefined,
  ): void {
    for (const session of this.sessions) {
      const { kind, session: id } = session.identity
      if (kind !== 'harness' || (own !== undefined && id === own)) session.emit(name, payload)
    }
  }

  /** Tells at once what is still to be told of runs. */
  drain(): void {
    for (const session of this.sessions) session.drain()
    this.#tellRows()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#rowTimer)
    clearTimeout(this.#statusTimer)
    for (const session of this.sessions) session.close()
  }

  #scheduleRows(ms: number): void {
    if (this.#closed) return
    const at = Date.now() + ms
    if (at >= this.#rowsDueAt) return
    clearTimeout(this.#rowTimer)
    this.#rowsDueAt = at
    this.#rowTimer = setTimeout(() => this.#tellRows(), ms)
  }

  #tellRows(): void {
    clearTimeout(this.#rowTimer)
    this.#rowsDueAt = Infinity
    const changed = [...this.#changed]
    this.#changed.clear()
    if (!this.#wanted('run.row')) return
    for (const runId of changed) {
      try {
        const row = this.#options.readRow(runId)
        if (row !== undefined) this.#tell('run.row', { row })
      } catch (error) {
        this.#options.logger.error(`The row of run ${runId} can't be read`, { error })
      }
    }
  }

  #wanted(name: HostEventName): boolean {
    for (const session of this.sessions) if (session.wants(name)) return true
    return false
  }

  #tell<Name extends HostEventName>(name: Name, payload: HostEvents[Name]): void {
    for (const session of this.sessions) session.emit(name, payload)
  }
}
