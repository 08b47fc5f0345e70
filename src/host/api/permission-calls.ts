// `run.answerPermission`: the operator's word on what an agent asks leave for.

import { asAgentNumber, asRunId, HostError } from '../../shared/index.ts'
import type { HostContext } from '../context.ts'
import type { HostCallHandlers } from './handlers.ts'

export function permissionCalls({ store, permissions }: HostContext): Pick<HostCallHandlers, 'run.answerPermission'> {
  return {
    'run.answerPermission': ({ runId, agent, request, answer }, { identity }) => {
      if (identity.kind === 'harness')
        throw new HostError({
          code: 'NOT_ALLOWED',
          message: 'A harness does not answer what agents ask leave for: that is for people, in a window or a browser',
        })
      const id = asRunId(runId)
      if (store.readRow(id) === undefined)
        throw new HostError({ code: 'NOT_FOUND', message: `There is no run ${runId}` })
      permissions.answer(id, asAgentNumber(agent), request, answer)
      return {}
    },
  }
}
