// Decides what the user is told outside of the windows, and what the badge counts: runs that ended and questions that
// came while nobody looked.

import type { PendingApproval, RunId, RunRow } from '../../shared/index.ts'
import type { LiveRun, Question } from './run-board.ts'
import { describeEnd, describeQuestion, describeWish, nameOf } from './run-words.ts'

export interface Notice {
  title: string
  body: string
  /** Something waits for the user. */
  urgent: boolean
  onClick(): void
}

export interface NotifierPorts {
  /** True while a window of this folder is in front. */
  isInFront(workspace: string): boolean
  /** Whether the settings want notifications. */
  wanted(): Promise<boolean>
  show(notice: Notice): void
  openRun(row: RunRow): void
  /** Brings the folder's window to the front, where the question stands. */
  openWish(approval: PendingApproval): void
  setBadge(count: number): void
}

export class Notifier {
  readonly #ports: NotifierPorts
  /** Runs that ended while nobody looked. */
  readonly #unseen = new Map<RunId, string>()
  #questions = 0
  #wishes = 0

  constructor(ports: NotifierPorts) {
    this.#ports = ports
  }

  async ended(row: RunRow): Promise<void> {
    if (this.#ports.isInFront(row.workspace)) return
    this.#unseen.set(row.runId, row.workspace)
    this.#count()
    await this.#tell(row, { title: nameOf(row), body: describeEnd(row), urgent: false })
  }

  async asked(row: RunRow, question: Question): Promise<void> {
    if (this.#ports.isInFront(row.workspace)) return
    await this.#tell(row, { title: 'An agent asks for leave', body: describeQuestion(row, question), urgent: true })
  }

  async wished(approval: PendingApproval): Promise<void> {
    if (this.#ports.isInFront(approval.workspace) || !(await this.#ports.wanted())) return
    const body = describeWish(approval)
    this.#ports.show({
      title: 'A harness asks for leave',
      body,
      urgent: true,
      onClick: () => this.#ports.openWish(approval),
    })
  }

  liveChanged(live: readonly LiveRun[], wishes = 0): void {
    this.#wishes = wishes
    this.#questions = live.reduce((sum, { questions }) => sum + questions.length, 0)
    this.#count()
  }

  /** A window of this folder came to the front. */
  looked(workspace: string): void {
    for (const [runId, folder] of this.#unseen) if (folder === workspace) this.#unseen.delete(runId)
    this.#count()
  }

  async #tell(row: RunRow, notice: Omit<Notice, 'onClick'>): Promise<void> {
    if (!(await this.#ports.wanted())) return
    this.#ports.show({
      ...notice,
      onClick: () => {
        this.#unseen.delete(row.runId)
        this.#count()
        this.#ports.openRun(row)
      },
    })
  }

  #count(): void {
    this.#ports.setBadge(this.#unseen.size + this.#questions + this.#wishes)
  }
}
