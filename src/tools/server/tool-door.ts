// The tool server as a host's door: one MCP session a connection.

import { randomUUID } from 'node:crypto'
import type { HttpToolDoor, ToolClient, ToolConnection, ToolDoor, ToolHost, ToolWire } from '../../shared/index.ts'
import { RunOwners } from './run-owners.ts'
import { ToolSession } from './tool-session.ts'

/** Opens the tool server of a host. */
export function openToolDoor(host: ToolHost): ToolDoor {
  const owners = new RunOwners()
  const connections = new Set<ToolConnection>()
  const httpDoors = new Set<HttpToolDoor>()
  return {
    connect(client, wire) {
      const connection = connect({ host, owners, client, wire, onEnd: () => connections.delete(connection) })
      connections.add(connection)
      return connection
    },
    async listenHttp({ port, token }) {
      const { openHttpDoor } = await import('../http/http-door.ts')
      const door = await openHttpDoor({ host, owners, port, token })
      httpDoors.add(door)
      return door
    },
    async close() {
      for (const connection of connections) connection.end()
      await Promise.all([...httpDoors].map((door) => door.close()))
    },
  }
}

interface ConnectionParts {
  host: ToolHost
  owners: RunOwners
  client: ToolClient
  wire: ToolWire
  onEnd: () => void
}

function connect({ host, owners, client, wire, onEnd }: ConnectionParts): ToolConnection {
  const session = new ToolSession({ host, owners, client, id: client.session ?? randomUUID() })
  // A client that has asked for nothing yet is one of the host's clients all the same, which does not end before it leaves.
  const presence = host.openSession({ kind: 'harness', workspace: client.workspace, session: `${session.id}/0` })
  let ended = false
  const end = (): void => {
    if (ended) return
    ended = true
    presence.close()
    session.close()
    onEnd()
  }
  return whenLoaded(
    async () => {
      const { serveConnection } = await import('./serve-connection.ts')
      return serveConnection(session, host.version, wire, end)
    },
    (error) => {
      host.logger.error('The tool server could not be loaded', { error })
      wire.close('the tool server could not be loaded')
    },
    end,
  )
}

/** A connection that keeps what comes until the one behind it is there. The wire's limits hold for what is kept. */
function whenLoaded(
  load: () => Promise<ToolConnection>,
  onError: (error: unknown) => void,
  onEnd: () => void,
): ToolConnection {
  let loaded: ToolConnection | undefined
  let ended = false
  let kept: ((connection: ToolConnection) => void)[] = []
  const pass = (event: (connection: ToolConnection) => void): void => {
    if (loaded === undefined) kept.push(event)
    else event(loaded)
  }
  load().then((connection) => {
    loaded = connection
    if (ended) return connection.end()
    for (const event of kept) event(connection)
    kept = []
  }, onError)
  return {
    receive: (text) => pass((connection) => connection.receive(text)),
    refuse: (message) => pass((connection) => connection.refuse(message)),
    end() {
      ended = true
      kept = []
      loaded?.end()
      onEnd()
    },
  }
}
