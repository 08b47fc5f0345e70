// The host's public face: engine, store and agents put together behind HostApi. Whoever carries messages (Electron's IPC,
// a WebSocket, a socket, a direct call) opens one session a client.

import type { ClientKind, HostCallName, HostClient, HostReply, OpenToolDoor } from '../shared/index.ts'
import type { Logger } from '../engine/index.ts'
import type { BridgeCommand } from './connections/harnesses.ts'

export interface HostOptions {
  /** The data folder; created when missing, 0700. */
  dataDir: string
  /** User configuration (`<config>/weft`), where the user's workflows are. */
  configDir: string
  /** The folder of bundled workflows. */
  bundledWorkflows: string
  workers: {
    sandbox: string | URL
    checker: string | URL
    writer: string | URL
    /** Makes simulated answers. */
    answers: string | URL
    /** Not a thread but a process: ends agents should this one be killed. */
    reaper: string | URL
  }
  version: string
  /** How this program is started again as the bridge, for harnesses' configurations; see bridgeCommand. */
  bridge: BridgeCommand
  logger: Logger
  /** What child processes inherit, and where `PATH` comes from. */
  env: Readonly<Record<string, string | undefined>>
  /** False: no local socket, so that no other process can act through this host. */
  socket?: boolean
  /**
   * A client of this newer or older version asks it to give way; resolves with whether it does so right now. Hosts that
   * somebody looks at never do.
   */
  retire?: (version: string) => Promise<boolean>
  /** The tool server that harnesses meet at the socket; without one they are refused. */
  tools?: OpenToolDoor
}

/** Who is at the other end of a session: known from the door it came in by, not from what it says. */
export interface SessionIdentity {
  kind: ClientKind
  name?: string
  /** The folder the window or command line stands in. */
  workspace: string
  /** The file to show first. */
  open?: string
  /** A harness's session, which may have several connections. */
  session?: string
}

export interface HostSession extends HostClient {
  /** For wires: takes a frame's `call` and `params` unchecked and never rejects. */
  handle(id: number, call: HostCallName | (string & {}), params: unknown): Promise<HostReply>
  close(): void
}

/** What a wire tells about itself, so that a slow client holds back nobody and fills no memory. */
export interface SessionFlow {
  /** True while the other end takes nothing more: events wait in the store. */
  isCongested(): boolean
}

export interface Host {
  openSession(identity: SessionIdentity, flow?: SessionFlow): HostSession
  /** Resolves once no run is live: a command line that lent its host to others waits for this before it ends. */
  whenQuiet(): Promise<void>
  /** Cancels live runs with `reason`, waits for quiet, closes the store. */
  dispose(reason: string): Promise<void>
}

export type CreateHost = (options: HostOptions) => Promise<Host>
