// What harnesses ask the user's leave for, as the host has it: asked here, answered here or anywhere else.

import type { ApprovalAnswer, HostCalls, PendingApproval } from '../../../shared/index.ts'
import { createStore } from 'zustand/vanilla'
import type { HostConnection } from '../client/connection.ts'
import { messageOf } from '../message-of.ts'
import type { Notices } from '../notices.ts'

export interface ApprovalsState {
  /** Oldest first. */
  pending: readonly PendingApproval[]
  /** Put aside by the user: they stay pending, but don't come to the front by themselves. */
  aside: ReadonlySet<string>
}

export type Approvals = ReturnType<typeof createApprovals>

export function createApprovals(connection: HostConnection, notices: Pick<Notices, 'info' | 'error'>) {
  const store = createStore<ApprovalsState>(() => ({ pending: [], aside: new Set() }))
  const drop = (id: string): void =>
    store.setState(({ pending }) => ({ pending: pending.filter((one) => one.id !== id) }))

  connection.on('approval.asked', ({ approval }) =>
    store.setState(({ pending }) => ({ pending: [...pending.filter(({ id }) => id !== approval.id), approval] })),
  )
  connection.on('approval.answered', ({ id }) => drop(id))

  return {
    store,
    /** Never rejects: a host that can't be asked says so at the lists that matter more. */
    async refresh(): Promise<void> {
      const { approvals } = await connection.call('approvals.list', {}).catch(() => ({ approvals: [] }))
      store.setState({ pending: approvals })
    },
    /** `reason`: of a refusal, for the harness; may be empty. */
    async answer({ id, workflow }: PendingApproval, answer: ApprovalAnswer, reason = ''): Promise<void> {
      try {
        await connection.call('approvals.answer', {
          id,
          answer,
          ...(answer === 'deny' && reason.trim() !== '' && { reason: reason.trim() }),
        })
        notices.info(answer === 'allow' ? `“${workflow}” may run.` : `“${workflow}” was refused.`)
      } catch (error) {
        notices.error(messageOf(error))
      }
      // Answered by us, or by someone else before: either way it is asked no more.
      drop(id)
    },
    putAside: (id: string): void => store.setState(({ aside }) => ({ aside: new Set([...aside, id]) })),
    /** All that wait come to the front again. */
    show: (): void => store.setState({ aside: new Set() }),
    /** What it would do and cost. */
    estimate: ({ workspace, script, args }: PendingApproval) =>
      connection.call('run.dryRun', { workspace, source: sourceOf(script), ...(args !== undefined && { args }) }),
  }
}

function sourceOf({ text, fileName, path }: PendingApproval['script']): HostCalls['run.dryRun']['params']['source'] {
  return { kind: 'text', text, fileName, ...(path !== null && { path }) }
}
