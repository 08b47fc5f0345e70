// The tool server as a host's door: one MCP session a connection.

import { randomUUID } from 'node:crypto'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { ToolClient, ToolConnection, ToolDoor, ToolHost, ToolWire } from '../../shared/index.ts'
import { LineTransport } from './line-transport.ts'
import { createMcpServer } from './mcp-server.ts'
import { RunOwners } from './run-owners.ts'
import { ToolSession } from './tool-session.ts'

/** Opens the tool server of a host. */
export function openToolDoor(host: ToolHost): ToolDoor {
  const owners = new RunOwners()
  const connections = new Set<ToolConnection>()
  return {
    connect(client, wire) {
      const connection = serveConnection({ host, owners, client, wire, onEnd: () => connections.delete(connection) })
      connections.add(connection)
      return connection
    },
    async close() {
      for (const connection of connections) connection.end()
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

function serveConnection({ host, owners, client, wire, onEnd }: ConnectionParts): ToolConnection {
  const session = new ToolSession({ host, owners, client, id: client.session ?? randomUUID() })
  const transport = new LineTransport(wire, () => {
    session.close()
    onEnd()
  })
  serveStdio(
    ({ era }) => {
      const { toolName } = session.settings()
      return createMcpServer({ session, version: host.version, toolName, era })
    },
    {
      transport,
      onerror: (error) => host.logger.debug('A harness sent what could not be served', { error }),
    },
  )
  return transport
}
