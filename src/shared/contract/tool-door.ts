// How the host's doors and the tool server meet: the host lets a harness in and frames its bytes, the tool server speaks
// MCP with it. Neither folder imports the other; whoever puts a host together hands the one to the other.

import type { ConnectedHarness } from '../model/connected-harness.ts'
import type { HostClient } from './host-api.ts'

/** Who a harness's connection comes from: known from its first line, not from what it says later. */
export interface ToolClient {
  /** The folder that the harness works in; absolute. */
  workspace: string
  /** A secret of the connecting bridge: with it, a connection that comes again is the same session. */
  session?: string
  /** How many runs lie between the user and the harness: 1 for an agent that a run started. */
  depth?: number
}

export interface ToolWire {
  /** One JSON document, no line end. */
  send(text: string): void
  /** Handed to `send` and not yet taken by the system. */
  unsentBytes(): number
  /** Ends the connection, saying why. */
  close(reason: string): void
}

export interface ToolConnection {
  /** One line. */
  receive(text: string): void
  /** Answers a frame that could not be taken; the connection goes on. */
  refuse(message: string): void
  /** The wire has closed. */
  end(): void
}

export interface HttpToolDoor {
  port: number
  close(): Promise<void>
}

export interface ToolDoor {
  connect(client: ToolClient, wire: ToolWire): ToolConnection
  /** Streamable HTTP on 127.0.0.1 for whoever has the token. Rejects when the port can't be had; 0 is any free one. */
  listenHttp(options: { port: number; token: string }): Promise<HttpToolDoor>
  close(): Promise<void>
}

export interface ToolHostSession extends HostClient {
  close(): void
}

/** What the tool server sees of the host it is put together with. */
export interface ToolHost {
  readonly version: string
  /** The settings as they are now, checked; empty where they can't be used. */
  readSettings(): object
  openSession(identity: { kind: 'harness'; name?: string; workspace: string; session: string }): ToolHostSession
  /** Tells the user who is connected; null when it has gone. */
  showHarness(id: string, harness: ConnectedHarness | null): void
  logger: Record<'debug' | 'info' | 'warn' | 'error', (message: string, fields?: object) => void>
}

export type OpenToolDoor = (host: ToolHost) => ToolDoor
