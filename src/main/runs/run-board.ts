// What the app itself knows of runs: which are live, which wait for the user's leave, which have just ended. Tray, badge
// and notifications are drawn from it, whatever the windows show.

import type {
  BridgeReply,
  HostCallName,
  HostEvents,
  HostPush,
  PendingApproval,
  RunEvent,
  RunId,
  RunRow,
} from '../../shared/index.ts'
import type { WindowSession } from '../host-link.ts'

/** What an agent asks leave for. */
export interface Question {
  /** The event's. */
  request: string
  agent: number
  title: string
}

export interface LiveRun {
  row: RunRow
  questions: readonly Question[]
}

export interface RunBoardOptions {
  openSession(push: (push: HostPush) => void): Promise<WindowSession>
  /** The runs that are live, or what they wait for, are others now. */
  onChange(): void
  onEnded(row: RunRow): void
  onAsked(row: RunRow, question: Question): void
  /** A harness asks the user's leave for a run. */
  onWish(approval: PendingApproval): void
  onError(error: unknown): void
}

interface Entry {
  row: RunRow
  questions: Map<string, Question>
}

const LIVE: ReadonlySet<RunRow['status']> = new Set(['queued', 'running', 'paused'])

export class RunBoard {
  readonly #options: RunBoardOptions
  readonly #live = new Map<RunId, Entry>()
  readonly #wishes = new Set<string>()
  #session: WindowSession | undefined

  constructor(options: RunBoardOptions) {
    this.#options = options
  }

  /** Oldest first. */
  live(): LiveRun[] {
    return [...this.#live.values()]
      .sort((a, b) => a.row.startedAt - b.row.startedAt)
      .map(({ row, questions }) => ({ row, questions: [...questions.values()] }))
  }

  /** How many wishes of harnesses wait for the user. */
  get wishes(): number {
    return this.#wishes.size
  }

  /** Takes a line to the host; to be called again when that has been replaced. */
  async connect(): Promise<void> {
    this.close()
    const session = await this.#options.openSession((push) => {
      if (this.#session === session) this.#take(push)
    })
    this.#session = session
    const reply = await session.call('run.list', { status: [...LIVE], limit: 1000 })
    // A list of rows is what the host answers to this call.
    if (reply.ok) for (const row of (reply.value as { runs: RunRow[] }).runs) this.#keep(row)
    else this.#options.onError(new Error(reply.error.message))
    await this.#takeWishes(session)
    this.#options.onChange()
  }

  /** Those that were asked before we came; a page that opens shows them, so they are counted and not told. */
  async #takeWishes(session: WindowSession): Promise<void> {
    const reply = await session.call('approvals.list', {})
    if (this.#session !== session) return
    if (!reply.ok) return this.#options.onError(new Error(reply.error.message))
    // A list of wishes is what the host answers to this call.
    for (const { id } of (reply.value as { approvals: PendingApproval[] }).approvals) this.#wishes.add(id)
  }

  /** Never rejects; what the host refuses is told. */
  async call(name: HostCallName, params: object): Promise<BridgeReply | undefined> {
    try {
      const reply = await this.#session?.call(name, params)
      if (reply?.ok === false) this.#options.onError(new Error(reply.error.message))
      return reply
    } catch (error) {
      this.#options.onError(error)
      return undefined
    }
  }

  /** Nothing is told from now on. */
  close(): void {
    this.#session?.close()
    this.#session = undefined
    this.#live.clear()
    this.#wishes.clear()
  }

  #take({ event, payload }: HostPush): void {
    // The payloads are what the host sends under these names.
    if (event === 'run.row') this.#takeRow((payload as { row: RunRow }).row)
    else if (event === 'run.events') {
      const { runId, events } = payload as { runId: RunId; events: RunEvent[] }
      this.#takeEvents(runId, events)
    } else if (event === 'approval.asked') {
      const { approval } = payload as HostEvents['approval.asked']
      this.#wishes.add(approval.id)
      this.#options.onWish(approval)
      this.#options.onChange()
    } else if (event === 'approval.answered') {
      this.#wishes.delete((payload as HostEvents['approval.answered']).id)
      this.#options.onChange()
    }
  }

  #takeRow(row: RunRow): void {
    const known = this.#live.get(row.runId)
    if (LIVE.has(row.status)) {
      this.#keep(row)
      if (known?.row.status !== row.status) this.#options.onChange()
    } else if (known !== undefined) {
      this.#live.delete(row.runId)
      void this.call('run.unwatch', { runId: row.runId })
      this.#options.onEnded(row)
      this.#options.onChange()
    }
  }

  #keep(row: RunRow): void {
    const known = this.#live.get(row.runId)
    this.#live.set(row.runId, { row, questions: known?.questions ?? new Map() })
    // From the first event on: a question may have been asked before we came.
    if (known === undefined) void this.call('run.watch', { runId: row.runId, fromSeq: 1 })
  }

  #takeEvents(runId: RunId, events: readonly RunEvent[]): void {
    const entry = this.#live.get(runId)
    if (entry === undefined) return
    const before = new Set(entry.questions.keys())
    for (const event of events) {
      if (event.type === 'permission-asked') {
        const { agent, request, title } = event
        entry.questions.set(`${agent} ${request}`, { agent, request, title })
      } else if (event.type === 'permission-answered') entry.questions.delete(`${event.agent} ${event.request}`)
    }
    // What was answered in the same breath is no question any more.
    const fresh = [...entry.questions].filter(([key]) => !before.has(key))
    for (const [, question] of fresh) this.#options.onAsked(entry.row, question)
    if (fresh.length > 0 || entry.questions.size !== before.size) this.#options.onChange()
  }
}
