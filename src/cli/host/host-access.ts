// How a command reaches a host: the one that runs already, or its own for as long as it needs one.

import type { HostClient } from '../../shared/index.ts'

export interface HostAccess {
  readonly client: HostClient
  /** True when this process is the host: its end is the end of the runs in it. */
  readonly owner: boolean
  /** Rejects with CliError when a host elsewhere is gone; never settles otherwise. */
  readonly lost: Promise<never>
  /** Lets go: an own host first waits for runs that others started in it. */
  close(): Promise<void>
}
