// `connections.*`: what harnesses are told of Weft in their own configuration. For people: refused to harnesses.

import { HostError } from '../../shared/index.ts'
import type { HostContext } from '../context.ts'
import type { Caller, HostCallHandlers } from './handlers.ts'

type Name = 'connections.list' | 'connections.preview' | 'connections.connect' | 'connections.disconnect'

export function connectionCalls({ connections }: HostContext): Pick<HostCallHandlers, Name> {
  return {
    'connections.list': async ({ workspace }, caller) => {
      refuseHarness(caller)
      return { harnesses: await connections.list(workspace) }
    },
    'connections.preview': ({ remove, ...target }, caller) => {
      refuseHarness(caller)
      return connections.preview(target, remove)
    },
    'connections.connect': ({ hash, ...target }, caller) => {
      refuseHarness(caller)
      return connections.write(target, { hash })
    },
    'connections.disconnect': ({ hash, ...target }, caller) => {
      refuseHarness(caller)
      return connections.write(target, { hash, remove: true })
    },
  }
}

function refuseHarness({ identity }: Caller): void {
  if (identity.kind !== 'harness') return
  throw new HostError({
    code: 'NOT_ALLOWED',
    message: 'A harness does not change what harnesses are told: that is for people',
  })
}
