// All calls of HostApi, put together from their groups.

import type { HostContext } from '../context.ts'
import { approvalCalls } from './approval-calls.ts'
import { backendCalls } from './backend-calls.ts'
import { branchCalls } from './branch-calls.ts'
import { connectionCalls } from './connection-calls.ts'
import { draftCalls } from './draft-calls.ts'
import type { HostCallHandlers } from './handlers.ts'
import { hostCalls } from './host-calls.ts'
import { runCalls } from './run-calls.ts'
import { scriptCalls } from './script-calls.ts'
import { settingsCalls } from './settings-calls.ts'
import { workflowCalls } from './workflow-calls.ts'

export function createHandlers(context: HostContext): HostCallHandlers {
  return {
    ...hostCalls(context),
    ...workflowCalls(context),
    ...draftCalls(context),
    ...scriptCalls(context),
    ...settingsCalls(context),
    ...backendCalls(context),
    ...branchCalls(context),
    ...approvalCalls(context),
    ...connectionCalls(context),
    ...runCalls(context),
  }
}
