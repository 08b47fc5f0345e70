// One connection served by the SDK. Loaded when the first harness comes: the SDK takes half a second, which no command and
// no window has to wait for.

import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { ToolWire } from '../../shared/index.ts'
import { LineTransport } from './line-transport.ts'
import { createMcpServer } from './mcp-server.ts'
import type { ClientInfo, ToolSession } from './tool-session.ts'

/** `onEnd` is told first that the wire has closed. */
export function serveConnection(
  session: ToolSession,
  version: string,
  wire: ToolWire,
  onEnd: () => void,
): LineTransport {
  const transport = new LineTransport(wire, onEnd)
  serveStdio(
    ({ era }) => {
      const { toolName } = session.settings()
      const sessionOf = (client: ClientInfo | undefined): ToolSession => {
        session.identify(client)
        return session
      }
      return createMcpServer({ sessionOf, news: session, version, toolName, depth: session.depth, era })
    },
    {
      transport,
      onerror: (error) => session.logger.debug('A harness sent what could not be served', { error }),
    },
  )
  return transport
}
