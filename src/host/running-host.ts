// A host at work: sessions come and go, stored events go out to them, and its end waits for quiet.

import { HostError, type ClientKind, type ConnectedHarness } from '../shared/index.ts'
import { Approvals } from './approvals/approvals.ts'
import { createHandlers } from './api/create-handlers.ts'
import { readStatus } from './api/host-calls.ts'
import type { HostCallHandlers } from './api/handlers.ts'
import type { HostContext } from './context.ts'
import type { Host, HostSession, SessionFlow, SessionIdentity } from './host.ts'
import { Retention } from './retention/retention.ts'
import { HarnessRecords } from './runs/harness-records.ts'
import { RunPermissions } from './runs/run-permissions.ts'
import { Publisher } from './session/publisher.ts'
import { Session } from './session/session.ts'
import { WorkflowWatchers } from './workspace/watch-workflows.ts'

/** These can answer questions; a terminal says so if somebody sits there; a harness must not. */
const OPERATORS: ReadonlySet<ClientKind> = new Set(['window', 'browser', 'test'])

/** While one of these is open, harnesses' runs are asked about unless the settings say otherwise. */
const WINDOWS: ReadonlySet<ClientKind> = new Set(['window', 'browser'])

export class RunningHost implements Host {
  readonly #context: HostContext
  readonly #handlers: HostCallHandlers
  readonly #publisher: Publisher
  readonly #watchers: WorkflowWatchers
  readonly #retention: Retention
  readonly #unwind: () => Promise<void>
  readonly #harnesses = new Map<string, ConnectedHarness>()
  #disposing: Promise<void> | undefined

  /** `unwind` ends the parts: doors first, the lock last. */
  constructor(
    parts: Omit<
      HostContext,
      'permissions' | 'approvals' | 'records' | 'publish' | 'clients' | 'harnesses' | 'checkRunning'
    >,
    unwind: () => Promise<void>,
  ) {
    const { store, live, logger } = parts
    this.#unwind = unwind
    this.#context = {
      ...parts,
      permissions: new RunPermissions({
        watches: (runId) => this.#operators().some((session) => session.watches(runId)),
        present: () => this.#operators().length > 0,
      }),
      records: new HarnessRecords(store, logger),
      approvals: new Approvals({
        store,
        policy: () => parts.settings.read().settings.approval ?? (this.#hasWindow() ? 'ask' : 'allow'),
        tell: (name, payload, session) => this.#publisher.tellApproval(name, payload, session),
      }),
      publish: {
        runChanged: (runId) => this.#publisher.runChanged(runId),
        runsDeleted: (runIds) => this.#publisher.runsDeleted(runIds),
        runPinned: (runId, pinned) => this.#publisher.runPinned(runId, pinned),
      },
      clients: () => this.#publisher.sessions.size,
      harnesses: () => [...this.#harnesses.values()],
      checkRunning: () => this.#checkRunning(),
    }
    this.#handlers = createHandlers(this.#context)
    this.#publisher = new Publisher({
      readRow: (runId) => store.readRow(runId),
      readStatus: () => readStatus(this.#context),
      logger,
    })
    this.#watchers = new WorkflowWatchers({
      folders: (workspace) => parts.catalog.folders(workspace),
      onChange: (workspace) => this.#publisher.workflowsChanged(workspace),
      logger,
    })
    this.#retention = new Retention({
      store,
      settings: parts.settings,
      dataDir: parts.options.dataDir,
      logger,
      onDeleted: (runIds) => this.#publisher.runsDeleted(runIds),
    })
    void this.#retention.apply()
    live.onChange = () => this.#publisher.statusChanged()
    store.onStored((runId, events) => {
      live.follow(runId, events)
      this.#context.records.follow(runId, events)
      this.#publisher.runStored(runId, events)
    })
  }

  openSession(identity: SessionIdentity, flow?: SessionFlow): HostSession {
    this.#checkRunning()
    const { sessions } = this.#publisher
    const services = {
      handlers: this.#handlers,
      store: this.#context.store,
      watchers: this.#watchers,
      logger: this.#context.logger,
      onWatch: () => this.#context.permissions.audienceChanged(),
      onClose: (closed: Session): void => {
        sessions.delete(closed)
        this.#context.permissions.audienceChanged()
        this.#publisher.statusChanged()
      },
    }
    const session = new Session(identity, services, flow)
    sessions.add(session)
    this.#publisher.statusChanged()
    return session
  }

  /** Who is connected to the tool server; null when it has gone. */
  showHarness(id: string, harness: ConnectedHarness | null): void {
    if (harness === null) this.#harnesses.delete(id)
    else this.#harnesses.set(id, harness)
    this.#publisher.statusChanged()
  }

  whenQuiet(): Promise<void> {
    return this.#context.live.whenQuiet()
  }

  dispose(reason: string): Promise<void> {
    this.#disposing ??= this.#dispose(reason)
    return this.#disposing
  }

  async #dispose(reason: string): Promise<void> {
    const { live } = this.#context
    // A run that is being started right now sees that the host ends, or is in `live` by then.
    live.cancelAll(reason)
    await live.whenQuiet()
    // What the last runs had to say still goes out.
    this.#publisher.drain()
    this.#publisher.close()
    this.#watchers.dispose()
    await this.#retention.dispose()
    await this.#unwind()
  }

  /** Sessions of people who see questions and can answer them. */
  #operators(): Session[] {
    return [...this.#publisher.sessions].filter(
      ({ identity, answers }) => OPERATORS.has(identity.kind) || (answers && identity.kind === 'cli'),
    )
  }

  #hasWindow(): boolean {
    return [...this.#publisher.sessions].some(({ identity }) => WINDOWS.has(identity.kind))
  }

  #checkRunning(): void {
    if (this.#disposing !== undefined) throw new HostError({ code: 'CLOSED', message: 'The host is ending' })
  }
}
