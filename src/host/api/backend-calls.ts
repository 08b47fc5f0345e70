// `backends.*`: who can run agents here.

import type { HostContext } from '../context.ts'
import type { HostCallHandlers } from './handlers.ts'

export function backendCalls({ backends, settings }: HostContext): Pick<HostCallHandlers, 'backends.list'> {
  return {
    'backends.list': async () => ({ backends: await backends.list(settings.read()) }),
  }
}
