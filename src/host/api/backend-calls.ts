// `backends.*`: who can run agents here, and who could.

import { findAgents } from '../backends/find-agents.ts'
import type { HostContext } from '../context.ts'
import type { HostCallHandlers } from './handlers.ts'

export function backendCalls(context: HostContext): Pick<HostCallHandlers, 'backends.list' | 'backends.find'> {
  const { backends, settings } = context
  return {
    'backends.list': async () => ({ backends: await backends.list(settings.read()) }),
    'backends.find': async () => ({ found: await findAgents(context) }),
  }
}
