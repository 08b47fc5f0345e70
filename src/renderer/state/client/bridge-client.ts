// HostClient over the preload bridge: the window inside Electron. Main lives as long as the page, so it is always connected.

import { HostError, type HostCalls, type WeftBridge } from '../../../shared/index.ts'
import type { HostConnection } from './connection.ts'
import { createPushListeners } from './push-listeners.ts'

export function createBridgeClient(
  bridge: WeftBridge,
  onError: (error: unknown) => void = (error) => reportError(error),
): HostConnection {
  const pushes = createPushListeners(onError)
  const end = bridge.onPush((push) => pushes.emit(push))
  let closed = false
  return {
    get status() {
      return closed ? 'closed' : 'connected'
    },
    // The status never changes but by `close`, which whoever calls it knows of.
    onStatus: () => () => {},
    on: (name, listener) => pushes.on(name, listener),
    async call<Name extends keyof HostCalls>(name: Name, params: HostCalls[Name]['params']) {
      if (closed) throw new HostError({ code: 'CLOSED', message: `${name}: the connection to the host was closed` })
      const reply = await bridge.call(name, params)
      if (!reply.ok) throw new HostError(reply.error)
      // A host of the same API version answers with the call's own result type.
      return reply.value as HostCalls[Name]['result']
    },
    close() {
      closed = true
      end()
    },
  }
}
