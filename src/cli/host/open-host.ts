// Finds the host that holds the data folder, or becomes it. A host that is just starting or ending is waited for.

import { HostError, type HostErrorCode } from '../../shared/index.ts'
import {
  bridgeCommand,
  connectHost,
  createHost,
  type Host,
  type HostOptions,
  type SessionIdentity,
} from '../../host/index.ts'
import { openToolDoor } from '../../tools/index.ts'
import type { CliContext } from '../context.ts'
import { CliError } from '../errors.ts'
import type { HostAccess } from './host-access.ts'
import { createLogger } from './logger.ts'
import { whenDeserted } from './when-idle.ts'

const WAIT_MS = 15_000
const RETRY_MS = 100
/** How long clients that run nothing hold up the end of the host that they happen to use. */
const GUEST_MS = 2000
/** Only a wait that is felt needs a word. */
const TELL_MS = GUEST_MS + 500
/** What a host that is on its way in or out answers with. */
const TRY_AGAIN: ReadonlySet<HostErrorCode> = new Set(['NOT_FOUND', 'CLOSED', 'NOT_ALLOWED'])

/** `workspace` is the folder that the command stands in. */
export async function openHost(context: CliContext, workspace: string): Promise<HostAccess> {
  const identity = { kind: 'cli', workspace } as const
  const until = context.now() + WAIT_MS
  for (;;) {
    // Each attempt depends on how the one before it failed.
    // oxlint-disable no-await-in-loop
    try {
      return ownAccess(context, await openOwnHost(context), identity)
    } catch (error) {
      if (!isHostError(error, 'CONFLICT')) throw error
    }
    try {
      return await connect(context, identity)
    } catch (error) {
      if (!isHostError(error, ...TRY_AGAIN) || context.now() > until) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    // oxlint-enable no-await-in-loop
  }
}

/** The host that runs, if there is one: none is made. */
export async function findHost(context: CliContext, workspace: string): Promise<HostAccess | undefined> {
  try {
    return await connect(context, { kind: 'cli', workspace }, 0)
  } catch (error) {
    if (isHostError(error, 'NOT_FOUND', 'CLOSED')) return undefined
    throw error
  }
}

/** This process as the host of the data folder. Rejects with CONFLICT when another one is. */
export function openOwnHost(context: CliContext, more: Pick<HostOptions, 'retire'> = {}): Promise<Host> {
  const { app, user, version, env } = context
  const isElectron = process.versions['electron'] !== undefined
  return createHost({
    ...user,
    bundledWorkflows: app.bundledWorkflows,
    workers: app.workers,
    version,
    bridge: bridgeCommand(app.root, process.execPath, isElectron, user.dataDir),
    logger: createLogger(context),
    env,
    tools: openToolDoor,
    ...more,
  })
}

/**
 * Ends an own host. Its end would cancel the runs that other clients started in it and cut off those that are about to
 * start one: runs are waited for to the end, clients without one for a short while.
 */
async function closeOwnHost({ err, signals }: CliContext, host: Host, identity: SessionIdentity): Promise<void> {
  const watcher = host.openSession(identity)
  const left = new Promise<void>((resolve) => signals.handle(() => resolve()))
  const told = setTimeout(
    () => err.line('waiting for runs that others started in this host; Ctrl-C cancels them'),
    TELL_MS,
  ).unref()
  await Promise.race([whenDeserted(watcher, GUEST_MS), left])
  clearTimeout(told)
  signals.handle(undefined)
  await host.dispose('the command line that ran it has ended')
}

function ownAccess(context: CliContext, host: Host, identity: SessionIdentity): HostAccess {
  const session = host.openSession(identity)
  return {
    client: session,
    owner: true,
    lost: new Promise<never>(() => {}),
    async close() {
      session.close()
      await closeOwnHost(context, host, identity)
    },
  }
}

async function connect(
  { user }: CliContext,
  identity: SessionIdentity & { kind: 'cli' },
  waitMs = WAIT_MS,
): Promise<HostAccess> {
  const client = await connectHost(user.dataDir, identity, { waitMs })
  let closing = false
  const lost = new Promise<never>((_, reject) => {
    void client.closed.then(() => {
      if (!closing) reject(new CliError('FAILED', 'the host is gone; what ran in it is interrupted, see "weft runs"'))
    })
  })
  // Commands that watch no run have nobody listening to this.
  lost.catch(() => {})
  return {
    client,
    owner: false,
    lost,
    async close() {
      closing = true
      client.close()
      await client.closed
    },
  }
}

function isHostError(error: unknown, ...codes: HostErrorCode[]): boolean {
  return error instanceof HostError && codes.includes(error.code)
}
