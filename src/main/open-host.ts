// Brings up a host for the windows: an own one, or a line to the process that owns the data folder already.

import { connectHost, createHost, type HostOptions } from '../host/index.ts'
import { HostError } from '../shared/index.ts'
import { linkOtherHost, linkOwnHost, type HostLink } from './host-link.ts'

/** A host that is just starting owns the folder before it listens. */
const STARTING_MS = 10_000

/** Rejects with HostError when neither can be had, in words for the user. */
export async function openHost(options: HostOptions): Promise<HostLink> {
  try {
    return linkOwnHost(await createHost(options))
  } catch (error) {
    if (!(error instanceof HostError && error.code === 'CONFLICT')) throw error
  }
  const link = linkOtherHost((identity) => connectHost(options.dataDir, identity, { waitMs: STARTING_MS }))
  // Better told now than by an empty window.
  const probe = await link.openSession(options.dataDir, () => {})
  probe.close()
  return link
}
