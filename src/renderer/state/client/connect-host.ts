// Picks the way to the host: the preload bridge inside Electron, a WebSocket to the page's own origin elsewhere.

import { API_VERSION, HostError, type WeftBridge } from '../../../shared/index.ts'
import { createBridgeClient } from './bridge-client.ts'
import type { HostConnection } from './connection.ts'
import { createSocketClient } from './socket-client.ts'

/** Resolves once the host has answered `host.hello`; rejects with HostError (VERSION_MISMATCH, CLOSED). */
export async function connectHost(
  bridge: WeftBridge | undefined,
  location: Pick<Location, 'protocol' | 'host'>,
): Promise<HostConnection> {
  if (bridge !== undefined) {
    const connection = createBridgeClient(bridge)
    await connection.call('host.hello', { apiVersion: API_VERSION, client: { kind: 'window' } })
    return connection
  }
  const url = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api`
  return new Promise((resolve, reject) => {
    let connected = false
    const connection = createSocketClient(url, {
      handshake: (call) => call('host.hello', { apiVersion: API_VERSION, client: { kind: 'browser' } }),
      // Before the first connection nobody is there yet to see the status: whoever waits for it is told instead.
      onError: (error) => (connected ? reportError(error) : reject(asError(error))),
    })
    const end = connection.onStatus((status) => {
      if (status !== 'connected') return
      connected = true
      end()
      resolve(connection)
    })
  })
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new HostError({ code: 'INTERNAL', message: String(error) })
}
