// One harness's session: its line to the host, the runs it may see, and what it is still to be told. It begins with the
// client's name, and outlives single requests, not its connection.

import { randomUUID } from 'node:crypto'
import {
  asRunId,
  HostError,
  isJsonObject,
  type RunId,
  type RunRow,
  type ToolClient,
  type ToolHost,
  type ToolHostSession,
} from '../../shared/index.ts'
import { DEFAULT_TOOL_NAME } from '../manifest/server-info.ts'
import type { RunOwners } from './run-owners.ts'
import { RunView } from './run-view.ts'

const KEPT_VIEWS = 50

/** What the settings say about harnesses. */
export interface ToolSettings {
  toolName: string
  maxResultChars: number
  maxStructuredChars: number
  foregroundSeconds: number | undefined
  onDisconnect: 'keep' | 'cancel'
  maxAgents: number | undefined
  budgetTokens: number | undefined
  /** Ids that may be asked for; undefined for all. */
  backends: readonly string[] | undefined
  sharedRuns: boolean
  /** Ids of back ends that mean "the caller's own kind of agent". */
  harnessBackends: ReadonlyMap<string, readonly string[]>
}

/** A start that waits for the user's leave. */
export interface PendingStart {
  started: Promise<RunId>
}

/** As a client names itself. */
export interface ClientInfo {
  name: string
  version?: string | undefined
}

/** UTF-16 units of a client's name and version. */
const LONGEST_NAME = 100

export interface SessionParts {
  host: ToolHost
  owners: RunOwners
  client: ToolClient
  id: string
}

export class ToolSession {
  readonly id: string
  readonly workspace: string
  readonly depth: number
  readonly owners: RunOwners
  /** Starts that wait for leave, by the id that their run will have. */
  readonly pending = new Map<RunId, PendingStart>()
  readonly #host: ToolHost
  readonly #listeners = new Set<(row: RunRow) => void>()
  readonly #workflowListeners = new Set<() => void>()
  readonly #own = new Set<RunId>()
  readonly #background = new Map<RunId, string>()
  readonly #views = new Map<RunId, RunView>()
  #notes: string[] = []
  #name: string | undefined
  #line: ToolHostSession | undefined
  #settings: ToolSettings = readToolSettings({})
  #closed = false
  #starts = 0
  /** Not the session's id: that is a secret. */
  readonly #shownAs = randomUUID()
  readonly #since = Date.now()
  #version: string | undefined
  #calls = 0

  constructor({ host, owners, client, id }: SessionParts) {
    this.#host = host
    this.owners = owners
    this.id = id
    this.workspace = client.workspace
    this.depth = client.depth ?? 0
    owners.sessionBegan(id)
    this.#show()
  }

  get clientName(): string | undefined {
    return this.#name
  }

  get closed(): boolean {
    return this.#closed
  }

  get logger(): ToolHost['logger'] {
    return this.#host.logger
  }

  /** The first name that a client gives is its name for the session. */
  identify(client: ClientInfo | undefined): void {
    if (client === undefined || this.#name !== undefined || this.#line !== undefined) return
    this.#name = client.name.slice(0, LONGEST_NAME)
    this.#version = client.version?.slice(0, LONGEST_NAME)
    this.#show()
  }

  /** A tool is called: the user sees how many were. */
  countCall(): void {
    this.#calls++
    this.#show()
  }

  /** The line to the host; opened when it is first needed. */
  get host(): ToolHostSession {
    if (this.#closed) throw new HostError({ code: 'CLOSED', message: 'The connection was closed' })
    return (this.#line ??= this.#open())
  }

  /** A second line for one start: closing it gives up a start that waits for leave. */
  openStarter(): ToolHostSession {
    // An id of its own, so that each start hears of its own wish alone.
    return this.#host.openSession({ ...this.#identity(), session: `${this.id}/${++this.#starts}` })
  }

  settings(): ToolSettings {
    this.#settings = readToolSettings(this.#host.readSettings())
    return this.#settings
  }

  claim(runId: RunId): void {
    this.#own.add(runId)
    this.owners.claim(runId, this.id)
  }

  sees(row: RunRow): boolean {
    const { id, workspace, clientName } = this
    return this.owners.sees({ id, workspace, clientName }, row, this.#settings.sharedRuns)
  }

  /** The row of a run that this session may see. Rejects with NOT_FOUND for any other as for an unknown id. */
  async requireRow(given: string): Promise<RunRow> {
    const runId = asRunId(given)
    const row = await this.host.call('run.get', { runId }).then(
      (found) => found.row,
      (error: unknown) => {
        if (error instanceof HostError && error.code === 'NOT_FOUND') return undefined
        throw error
      },
    )
    this.settings()
    if (row === undefined || !this.sees(row))
      throw new HostError({ code: 'NOT_FOUND', message: `There is no run ${given}` })
    return row
  }

  view(runId: RunId): RunView {
    const known = this.#views.get(runId)
    const view = known ?? new RunView(this.host, runId)
    // The one that was used longest ago goes first.
    this.#views.delete(runId)
    this.#views.set(runId, view)
    const oldest = this.#views.keys().next()
    if (this.#views.size > KEPT_VIEWS && oldest.done !== true) this.#views.delete(oldest.value)
    return view
  }

  /** Tells of rows that changed, of all runs; returns its end. */
  onRow(listener: (row: RunRow) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Tells when workflow files of the workspace changed, once they have been listed; returns its end. */
  onWorkflows(listener: () => void): () => void {
    this.#workflowListeners.add(listener)
    return () => void this.#workflowListeners.delete(listener)
  }

  /** The session is told with its next answer when this run has ended. */
  noteEnd(runId: RunId, name: string): void {
    this.#background.set(runId, name)
  }

  /** Its end has been told. */
  forgetEnd(runId: RunId): void {
    this.#background.delete(runId)
    this.#notes = this.#notes.filter((note) => !note.includes(runId))
  }

  addNote(note: string): void {
    this.#notes.push(note)
  }

  takeNotes(): string[] {
    return this.#notes.splice(0)
  }

  /** The connection is gone: runs go on or are cancelled, as the settings say. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#host.showHarness(this.#shownAs, null)
    const line = this.#line
    const end = (): void => {
      line?.close()
      this.owners.sessionEnded(this.id)
    }
    if (line === undefined || this.settings().onDisconnect === 'keep') return end()
    void this.#cancelOwn(line).finally(end)
  }

  async #cancelOwn(line: ToolHostSession): Promise<void> {
    const reason = 'the harness that started it has disconnected'
    // One that has ended already can't be cancelled, and need not be.
    await Promise.allSettled([...this.#own].map((runId) => line.call('run.cancel', { runId, reason })))
  }

  #identity() {
    const { id, workspace, clientName } = this
    return { kind: 'harness' as const, workspace, session: id, ...(clientName !== undefined && { name: clientName }) }
  }

  #show(): void {
    if (this.#closed) return
    this.#host.showHarness(this.#shownAs, {
      id: this.#shownAs,
      name: this.#name ?? null,
      version: this.#version ?? null,
      workspace: this.workspace,
      since: this.#since,
      calls: this.#calls,
    })
  }

  #open(): ToolHostSession {
    const line = this.#host.openSession(this.#identity())
    line.on('run.row', ({ row }) => this.#onRow(row))
    line.on('run.deleted', ({ runIds }) => this.owners.deleted(runIds))
    line.on('workflows.changed', () => {
      for (const listener of this.#workflowListeners) listener()
    })
    return line
  }

  #onRow(row: RunRow): void {
    const background = this.#background.get(row.runId)
    if (background !== undefined && row.endedAt !== null) {
      this.#background.delete(row.runId)
      const how = row.status === 'completed' ? (row.degraded ? 'completed with failures' : 'completed') : row.status
      this.#notes.push(
        `Background run ${row.runId} ("${background}") has ended: ${how}. Call workflow_wait with its runId for the result.`,
      )
    }
    for (const listener of this.#listeners) listener(row)
  }
}

/** UTF-16 units, where the settings say nothing else. */
export const STANDARD_LENGTHS = { maxResultChars: 50_000, maxStructuredChars: 1_000_000 }

/** Settings have passed the host's schema: what is there is of the right type. */
export function readToolSettings(value: object): ToolSettings {
  const settings = isJsonObject(value) ? value : {}
  const harness = isJsonObject(settings['harness']) ? settings['harness'] : {}
  const backends = isJsonObject(settings['backends']) ? settings['backends'] : {}
  const number = (given: unknown): number | undefined => (typeof given === 'number' ? given : undefined)
  const toolName = settings['toolName']
  const allowed = harness['backends']
  return {
    toolName: typeof toolName === 'string' ? toolName : DEFAULT_TOOL_NAME,
    maxResultChars: number(settings['maxResultChars']) ?? STANDARD_LENGTHS.maxResultChars,
    maxStructuredChars: number(settings['maxStructuredChars']) ?? STANDARD_LENGTHS.maxStructuredChars,
    foregroundSeconds: number(settings['foregroundSeconds']),
    onDisconnect: settings['onDisconnect'] === 'cancel' ? 'cancel' : 'keep',
    maxAgents: number(harness['maxAgents']),
    budgetTokens: number(harness['budgetTokens']),
    backends: Array.isArray(allowed) ? allowed.filter((id) => typeof id === 'string') : undefined,
    sharedRuns: harness['sharedRuns'] === true,
    harnessBackends: new Map(
      Object.entries(backends).flatMap(([id, backend]) =>
        isJsonObject(backend) && backend['kind'] === 'harness'
          ? [[id, isJsonObject(backend['clients']) ? Object.keys(backend['clients']) : []] as const]
          : [],
      ),
    ),
  }
}
