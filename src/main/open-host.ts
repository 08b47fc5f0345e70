// Brings up a host for the windows: an own one, or a line to the process that owns the data folder already.

import { connectHost, createHost, type HostOptions } from '../host/index.ts'
import { HostError } from '../shared/index.ts'
import { linkOtherHost, linkOwnHost, type HostLink } from './host-link.ts'

/** A host that is just starting owns the folder before it listens, one that is ending still does after. */
const CHANGING_MS = 15_000
const LISTEN_MS = 250

/** Rejects with HostError when neither can be had, in words for the user. */
export async function openHost(options: HostOptions): Promise<HostLink> {
  const until = Date.now() + CHANGING_MS
  for (;;) {
    // One way after the other, until the folder is free or its owner answers.
    // oxlint-disable no-await-in-loop
    const own = await attempt(() => createHost(options), 'CONFLICT')
    if (own.value !== undefined) return linkOwnHost(own.value)
    const other = await attempt(() => linkToOwner(options.dataDir), 'NOT_FOUND')
    if (other.value !== undefined) return other.value
    // oxlint-enable no-await-in-loop
    if (Date.now() > until) throw own.refusal
  }
}

async function linkToOwner(dataDir: string): Promise<HostLink> {
  const link = linkOtherHost((identity) => connectHost(dataDir, identity, { waitMs: LISTEN_MS }))
  // Better told now than by an empty window.
  const probe = await link.openSession(dataDir, () => {})
  probe.close()
  return link
}

/** What `make` gives, or its HostError of the code that means "try the other way". */
async function attempt<T>(
  make: () => Promise<T>,
  expected: HostError['code'],
): Promise<{ value: T; refusal?: never } | { value?: never; refusal: HostError }> {
  try {
    return { value: await make() }
  } catch (error) {
    if (error instanceof HostError && (error.code === expected || error.code === 'CLOSED')) return { refusal: error }
    throw error
  }
}
