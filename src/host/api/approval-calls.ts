// `approvals.*`: the user's word on what harnesses want to run.

import { HostError } from '../../shared/index.ts'
import type { HostContext } from '../context.ts'
import type { Caller, HostCallHandlers } from './handlers.ts'

export function approvalCalls({
  approvals,
}: HostContext): Pick<HostCallHandlers, 'approvals.list' | 'approvals.answer'> {
  return {
    'approvals.list': (_params, caller) => {
      refuseHarness(caller)
      return { approvals: approvals.list() }
    },
    'approvals.answer': ({ id, answer, reason }, caller) => {
      refuseHarness(caller)
      approvals.answer(id, answer, reason)
      return {}
    },
  }
}

function refuseHarness({ identity }: Caller): void {
  if (identity.kind !== 'harness') return
  throw new HostError({
    code: 'NOT_ALLOWED',
    message: 'A harness neither sees nor answers what the user is asked to approve: that is for people',
  })
}
