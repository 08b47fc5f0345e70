// Keeps the record of each run that a harness started: facts that follow the run's stored events. The first write that fails
// ends that record with one warning; neither the run nor its cleanup notices.

import { HarnessRecordCheck, type HarnessFact, type RunEvent, type RunId } from '../../shared/index.ts'
import type { Logger } from '../../engine/index.ts'
import type { Store } from '../../store/index.ts'
import type { SessionIdentity } from '../host.ts'

interface OpenRecord {
  session: string
  clientName: string | null
  check: HarnessRecordCheck
  /** Number of the next fact. */
  next: number
  /** Names of nested workflows by the numbers of their groups. */
  groups: Map<number, string>
  /** The run's end, kept until everything of it is gone. */
  end: HarnessFact | undefined
  writing: Promise<void>
  /** Nothing more is written of it. */
  failed: boolean
}

export class HarnessRecords {
  readonly #store: Pick<Store, 'appendHarnessFacts'>
  readonly #logger: Logger
  readonly #open = new Map<RunId, OpenRecord>()

  constructor(store: Pick<Store, 'appendHarnessFacts'>, logger: Logger) {
    this.#store = store
    this.#logger = logger
  }

  /** To be called before the run's first event is stored. */
  begin(runId: RunId, { kind, session, name }: SessionIdentity): void {
    if (kind !== 'harness') return
    this.#open.set(runId, {
      // A start has a line of its own in its session.
      session: (session ?? 'unknown').split('/')[0] ?? 'unknown',
      clientName: name ?? null,
      check: new HarnessRecordCheck(),
      next: 1,
      groups: new Map(),
      end: undefined,
      writing: Promise.resolve(),
      failed: false,
    })
  }

  /** Events of a run that were just stored. */
  follow(runId: RunId, events: readonly RunEvent[]): void {
    const record = this.#open.get(runId)
    if (record !== undefined)
      this.#append(
        runId,
        record,
        events.flatMap((event) => toFacts(event, runId, record)),
      )
  }

  /** The run is over and cleaned up. Resolves once its record is written, or given up. */
  async end(runId: RunId): Promise<void> {
    const record = this.#open.get(runId)
    if (record === undefined) return
    if (record.end !== undefined) this.#append(runId, record, [record.end])
    this.#open.delete(runId)
    await record.writing
  }

  #append(runId: RunId, record: OpenRecord, facts: readonly HarnessFact[]): void {
    if (facts.length === 0 || record.failed) return
    const violation = facts.map((fact) => record.check.push(fact)).find((found) => found !== undefined)
    if (violation !== undefined) return this.#giveUp(runId, record, new Error(violation))
    const first = record.next
    record.next += facts.length
    // At once: a host that ends takes no more writes a moment later. The writer keeps them in order.
    const written = this.#store
      .appendHarnessFacts(runId, record.session, first, facts)
      .catch((error: unknown) => this.#giveUp(runId, record, error))
    record.writing = Promise.all([record.writing, written]).then(() => undefined)
  }

  #giveUp(runId: RunId, record: OpenRecord, error: unknown): void {
    if (record.failed) return
    record.failed = true
    this.#logger.warn(`The record of run ${runId} for its harness can't be kept any further`, { error })
  }
}

function toFacts(event: RunEvent, runId: RunId, record: OpenRecord): HarnessFact[] {
  const { at } = event
  switch (event.type) {
    case 'run-started':
      return [{ fact: 'run-start', runId, workflow: event.meta.name, clientName: record.clientName, at }]
    case 'workflow-started':
      record.groups.set(event.group, event.name)
      return []
    case 'agent-queued': {
      const { agent: member, label, group } = event
      return [{ fact: 'member-start', member, label, under: record.groups.get(group) ?? null, at }]
    }
    case 'agent-ended':
      return [{ fact: 'member-end', member: event.agent, outcome: event.outcome, at }]
    case 'run-ended':
      record.end = { fact: 'run-end', outcome: event.outcome, at }
      return []
    default:
      return []
  }
}
