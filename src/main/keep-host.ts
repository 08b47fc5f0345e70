// Keeps the windows on a host: when another process's host goes, this process becomes the host.

import type { HostLink } from './host-link.ts'

export interface KeepHostOptions {
  open(): Promise<HostLink>
  /** The pages have to begin anew. */
  onReplaced(): void
  /** No host can be had any more. */
  onLost(error: unknown): void
}

/** Rejects when there is no host to begin with. */
export async function keepHost(options: KeepHostOptions): Promise<Omit<HostLink, 'lost'>> {
  let link = await options.open()
  let closed = false
  const follow = async (): Promise<void> => {
    for (;;) {
      await link.lost
      if (closed) return
      link = await options.open()
      options.onReplaced()
    }
  }
  follow().catch((error: unknown) => options.onLost(error))
  return {
    openSession: (workspace, push) => link.openSession(workspace, push),
    liveRuns: () => link.liveRuns(),
    whenQuiet: () => link.whenQuiet(),
    close(reason) {
      closed = true
      return link.close(reason)
    },
  }
}
