// Leave for what harnesses want to run: by policy, by what was allowed before, or by the user's answer.

import { createHash } from 'node:crypto'
import {
  canonicalJson,
  HostError,
  toPreview,
  type ApprovalAnswer,
  type HostEvents,
  type JsonValue,
  type PendingApproval,
  type RunId,
} from '../../shared/index.ts'
import type { ScriptText } from '../../engine/index.ts'
import type { Store } from '../../store/index.ts'
import type { SessionIdentity } from '../host.ts'

/** UTF-16 units of a refusal's reason, on one line. */
const MAX_REASON = 300

type ApprovalEvent = 'approval.asked' | 'approval.answered'

export interface ApprovalsOptions {
  store: Pick<Store, 'readApproval' | 'writeApproval'>
  policy(): 'ask' | 'allow' | 'deny'
  /** `session` is that of the harness who asks. */
  tell<Name extends ApprovalEvent>(name: Name, payload: HostEvents[Name], session: string | undefined): void
}

export interface ApprovalWish {
  runId: RunId
  meta: PendingApproval['meta']
  script: ScriptText
  args?: JsonValue | undefined
  nested: readonly { name: string; source: ScriptText }[]
  identity: SessionIdentity
}

interface Verdict {
  answer: ApprovalAnswer | 'withdrawn'
  reason?: string | undefined
}

interface Open {
  approval: PendingApproval
  session: string | undefined
  settle(verdict: Verdict): void
}

export class Approvals {
  readonly #options: ApprovalsOptions
  readonly #open = new Map<string, Open>()
  #count = 0

  constructor(options: ApprovalsOptions) {
    this.#options = options
  }

  get asks(): boolean {
    return this.#options.policy() === 'ask'
  }

  list(): PendingApproval[] {
    return [...this.#open.values()].map(({ approval }) => approval)
  }

  /** Resolves once it may run. Rejects with NOT_ALLOWED when it may not, with CLOSED when `signal` gives the wish up. */
  async require(wish: ApprovalWish, signal?: AbortSignal): Promise<void> {
    const policy = this.#options.policy()
    if (policy === 'allow') return
    if (policy === 'deny')
      throw refusal(
        `the settings of Weft let harnesses run nothing (approval: deny), so "${wish.meta.name}" was not run`,
      )
    const hash = hashWish(wish)
    if (this.#options.store.readApproval(hash)?.decision === 'allow') return
    const { answer, reason } = await this.#ask(wish, hash, signal)
    if (answer === 'withdrawn') throw new HostError({ code: 'CLOSED', message: 'The wish to run it was given up' })
    if (answer === 'deny') {
      const why = reason === undefined ? '' : ` (${reason})`
      throw refusal(`the user refused to run the workflow "${wish.meta.name}" in Weft${why}`)
    }
    const { name } = wish.meta
    await this.#options.store.writeApproval({ hash, decision: 'allow', workflow: name, decidedAt: Date.now() })
  }

  /** Throws CONFLICT when it is asked no more. A refusal's reason is told to the harness. */
  answer(id: string, answer: ApprovalAnswer, reason = ''): void {
    const open = this.#open.get(id)
    if (open === undefined)
      throw new HostError({
        code: 'CONFLICT',
        message: `Nobody asks for the approval ${id}: it was answered already, or the harness has given it up`,
      })
    open.settle({ answer, reason: toPreview(reason, MAX_REASON) || undefined })
  }

  /** The run is over, so what it asked for is asked no more. */
  forget(runId: RunId): void {
    for (const open of this.#open.values()) if (open.approval.runId === runId) open.settle({ answer: 'withdrawn' })
  }

  #ask(
    { runId, meta, script, args, nested, identity }: ApprovalWish,
    hash: string,
    signal?: AbortSignal,
  ): Promise<Verdict> {
    if (signal?.aborted === true) return Promise.resolve({ answer: 'withdrawn' })
    const id = `approval-${++this.#count}`
    const { text, fileName, path } = script
    const approval: PendingApproval = {
      id,
      runId,
      hash,
      workflow: meta.name,
      meta,
      script: { text, fileName, path },
      ...(args !== undefined && { args }),
      nested: nested.map(({ name, source }) => ({ name, path: source.path, text: source.text })),
      clientName: identity.name ?? null,
      workspace: identity.workspace,
      askedAt: Date.now(),
    }
    const { session } = identity
    return new Promise((resolve) => {
      const withdraw = (): void => open.settle({ answer: 'withdrawn' })
      const open: Open = {
        approval,
        session,
        settle: (verdict) => {
          if (!this.#open.delete(id)) return
          signal?.removeEventListener('abort', withdraw)
          this.#options.tell('approval.answered', { id, runId, answer: verdict.answer }, session)
          resolve(verdict)
        },
      }
      this.#open.set(id, open)
      signal?.addEventListener('abort', withdraw, { once: true })
      this.#options.tell('approval.asked', { approval }, session)
    })
  }
}

function refusal(why: string): HostError {
  return new HostError({ code: 'NOT_ALLOWED', message: `${why}: nothing was started` })
}

/** Of all bytes that may run: another script, other meta given as data or an edited child is another wish. */
export function hashWish({ script, nested }: Pick<ApprovalWish, 'script' | 'nested'>): string {
  // Meta that came as data is JSON, and absent otherwise.
  const meta = (script.meta ?? null) as JsonValue
  const children = nested.map(({ name, source }) => [name, source.text])
  return createHash('sha256')
    .update(canonicalJson([script.text, meta, children]))
    .digest('hex')
}
