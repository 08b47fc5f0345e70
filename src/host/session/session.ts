// One client's connection: calls in, events out, and everything it subscribed to, gone when it closes.

import {
  HostError,
  type HostCallName,
  type HostCalls,
  type HostEventName,
  type HostEvents,
  type HostReply,
  type RunId,
} from '../../shared/index.ts'
import type { Logger } from '../../engine/index.ts'
import type { Store } from '../../store/index.ts'
import type { Caller, HostCallHandlers } from '../api/handlers.ts'
import { checkCallName, checkParams } from '../api/validate-params.ts'
import type { HostSession, SessionFlow, SessionIdentity } from '../host.ts'
import type { WorkflowWatchers } from '../workspace/watch-workflows.ts'
import { RunWatch } from './run-watch.ts'
import { toHostError } from './to-host-error.ts'

export interface SessionServices {
  handlers: HostCallHandlers
  store: Pick<Store, 'readEvents' | 'lastSeq'>
  watchers: WorkflowWatchers
  logger: Logger
  /** It began or ended to watch a run. */
  onWatch(): void
  onClose(session: Session): void
}

type Listeners = { [Name in HostEventName]: Set<(payload: HostEvents[Name]) => void> }

const NEVER_CONGESTED: SessionFlow = { isCongested: () => false }

export class Session implements HostSession {
  readonly identity: SessionIdentity
  readonly #services: SessionServices
  readonly #flow: SessionFlow
  readonly #closed = new AbortController()
  readonly #watches = new Map<RunId, RunWatch>()
  readonly #workspaces = new Map<string, (() => void) | undefined>()
  readonly #listeners: Listeners = {
    'run.events': new Set(),
    'run.row': new Set(),
    'run.deleted': new Set(),
    'run.pinned': new Set(),
    'workflows.changed': new Set(),
    'host.status': new Set(),
    'approval.asked': new Set(),
    'approval.answered': new Set(),
  }
  readonly #caller: Caller
  #answers = false

  constructor(identity: SessionIdentity, services: SessionServices, flow: SessionFlow = NEVER_CONGESTED) {
    this.identity = identity
    this.#services = services
    this.#flow = flow
    this.#caller = {
      identity,
      signal: this.#closed.signal,
      watchRun: (runId, fromSeq) => this.#watchRun(runId, fromSeq),
      unwatchRun: (runId) => {
        this.#unwatchRun(runId)
        services.onWatch()
      },
      answerQuestions: () => {
        this.#answers = true
        services.onWatch()
      },
      watchWorkflows: (workspace) => this.#watchWorkflows(workspace),
    }
  }

  async call<Name extends HostCallName>(
    name: Name,
    params: HostCalls[Name]['params'],
  ): Promise<HostCalls[Name]['result']> {
    try {
      this.#checkOpen()
      checkParams(name, params)
      return await this.#services.handlers[name](params, this.#caller)
    } catch (error) {
      throw toHostError(error, name, this.#services.logger)
    }
  }

  async handle(id: number, call: HostCallName | (string & {}), params: unknown): Promise<HostReply> {
    try {
      const name = checkCallName(call)
      // `call` validates the parameters against the schema of this name before anyone reads them.
      return { id, ok: true, value: await this.call(name, params as HostCalls[typeof name]['params']) }
    } catch (error) {
      return { id, ok: false, error: toHostError(error, call, this.#services.logger).toBody() }
    }
  }

  on<Name extends HostEventName>(name: Name, listener: (payload: HostEvents[Name]) => void): () => void {
    // A wrapper of its own, so that a function that listens twice is told twice and ends one by one.
    const entry = (payload: HostEvents[Name]): void => listener(payload)
    this.#listeners[name].add(entry)
    if (name === 'workflows.changed') for (const workspace of this.#workspaces.keys()) this.#watchWorkflows(workspace)
    return () => {
      this.#listeners[name].delete(entry)
    }
  }

  /** Whether anyone at the other end would be told. */
  wants(name: HostEventName): boolean {
    return this.#listeners[name].size > 0
  }

  watches(runId: RunId): boolean {
    return this.#watches.has(runId)
  }

  /** Its person has said that they answer what agents ask leave for. */
  get answers(): boolean {
    return this.#answers
  }

  looksAt(workspace: string): boolean {
    return this.#workspaces.has(workspace)
  }

  /** Tells the listeners; one that throws is logged and starves nobody. */
  emit<Name extends HostEventName>(name: Name, payload: HostEvents[Name]): void {
    for (const listener of this.#listeners[name]) {
      try {
        listener(payload)
      } catch (error) {
        this.#services.logger.error(`A listener for ${name} failed`, { error })
      }
    }
  }

  /** Events of a run that were just stored. */
  pushEvents(runId: RunId, events: Parameters<RunWatch['push']>[0]): void {
    this.#watches.get(runId)?.push(events)
  }

  /** Hands out what watched runs still owe, before the session ends. */
  drain(): void {
    for (const watch of this.#watches.values()) watch.drain()
  }

  close(): void {
    if (this.#closed.signal.aborted) return
    this.#closed.abort(new HostError({ code: 'CLOSED', message: 'The connection was closed' }))
    for (const watch of this.#watches.values()) watch.close()
    this.#watches.clear()
    for (const stop of this.#workspaces.values()) stop?.()
    this.#workspaces.clear()
    for (const listeners of Object.values(this.#listeners)) listeners.clear()
    this.#services.onClose(this)
  }

  #checkOpen(): void {
    if (this.#closed.signal.aborted)
      throw new HostError({ code: 'CLOSED', message: 'This connection to the host has been closed' })
  }

  #watchRun(runId: RunId, fromSeq: number): number {
    const { store, logger } = this.#services
    this.#unwatchRun(runId)
    const lastSeq = store.lastSeq(runId)
    const watch = new RunWatch({
      fromSeq,
      lastSeq,
      read: (from, limit) => store.readEvents(runId, from, limit),
      deliver: (events) => this.emit('run.events', { runId, events }),
      isCongested: () => this.#flow.isCongested(),
      onError: (error) => logger.error(`Run ${runId} can't be watched any longer`, { error }),
    })
    this.#watches.set(runId, watch)
    this.#services.onWatch()
    return lastSeq
  }

  #unwatchRun(runId: RunId): void {
    this.#watches.get(runId)?.close()
    this.#watches.delete(runId)
  }

  #watchWorkflows(workspace: string): void {
    if (this.#closed.signal.aborted) return
    const known = this.#workspaces.get(workspace)
    const wanted = known === undefined && this.wants('workflows.changed')
    this.#workspaces.set(workspace, wanted ? this.#services.watchers.use(workspace) : known)
  }
}
