// How the windows reach a host: the one in this process, or another process's that already owns the data folder.

import {
  HostError,
  type BridgeReply,
  type HostCallName,
  type HostCalls,
  type HostClient,
  type HostEventName,
  type HostPush,
} from '../shared/index.ts'
import type { Host, SessionIdentity } from '../host/index.ts'

/** One window's line to the host. */
export interface WindowSession {
  /** Never rejects for what the host answers. */
  call(name: string, params: unknown): Promise<BridgeReply>
  close(): void
}

export interface HostLink {
  /** `push` is told every event of the host, in order. */
  openSession(workspace: string, push: (push: HostPush) => void): Promise<WindowSession>
  /** Runs that end with this process: none of another host's. */
  liveRuns(): Promise<number>
  /** Resolves once none of them is live. */
  whenQuiet(): Promise<void>
  /** Resolves when another process's host has gone; an own one never goes by itself. */
  readonly lost: Promise<void>
  /** An own host cancels its runs and closes its store; another's goes on without us. */
  close(reason: string): Promise<void>
}

const PUSHED: Record<HostEventName, true> = {
  'run.events': true,
  'run.row': true,
  'run.deleted': true,
  'run.pinned': true,
  'workflows.changed': true,
  'host.status': true,
  'approval.asked': true,
  'approval.answered': true,
}

/** The link to a host in this process. */
export function linkOwnHost(host: Host): HostLink {
  return {
    async openSession(workspace, push) {
      const session = host.openSession(identityOf(workspace))
      forward(session, push)
      return {
        async call(name, params) {
          const reply = await session.handle(0, name, params)
          return reply.ok ? { ok: true, value: reply.value } : { ok: false, error: reply.error }
        },
        close: () => session.close(),
      }
    },
    async liveRuns() {
      const session = host.openSession({ kind: 'window', workspace: '/' })
      try {
        return (await session.call('host.status', {})).liveRuns
      } finally {
        session.close()
      }
    },
    whenQuiet: () => host.whenQuiet(),
    lost: new Promise(() => {}),
    close: (reason) => host.dispose(reason),
  }
}

export interface RemoteHost extends HostClient {
  /** Resolves when the connection has ended, by either side. */
  readonly closed: Promise<void>
  close(): void
}

/** The link to the host of another process. `connect` dials it once for each window. */
export function linkOtherHost(
  connect: (identity: SessionIdentity & { kind: 'window' }) => Promise<RemoteHost>,
): HostLink {
  let reportLost = (): void => {}
  const lost = new Promise<void>((resolve) => {
    reportLost = resolve
  })
  return {
    async openSession(workspace, push) {
      const client = await connect(identityOf(workspace))
      let hungUp = false
      void client.closed.then(() => (hungUp ? undefined : reportLost()))
      forward(client, push)
      return {
        async call(name, params) {
          try {
            // The host at the other end checks the name and its parameters; what it refuses comes back as an error.
            const value = await client.call(name as HostCallName, params as HostCalls[HostCallName]['params'])
            return { ok: true, value }
          } catch (error) {
            if (error instanceof HostError) return { ok: false, error: error.toBody() }
            throw error
          }
        },
        close() {
          hungUp = true
          client.close()
        },
      }
    },
    liveRuns: async () => 0,
    whenQuiet: async () => {},
    lost,
    close: async () => {},
  }
}

const identityOf = (workspace: string) => ({ kind: 'window' as const, name: 'Weft window', workspace })

function forward(client: HostClient, push: (push: HostPush) => void): void {
  for (const event of Object.keys(PUSHED)) {
    // The record's type makes its keys exactly the names of events.
    const name = event as HostEventName
    client.on(name, (payload) => push({ event: name, payload }))
  }
}
