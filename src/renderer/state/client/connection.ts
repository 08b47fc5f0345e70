// A HostClient that also tells how its connection is: what the window shows in its status bar and acts on.

import type { HostClient } from '../../../shared/index.ts'

export type ConnectionStatus = 'connecting' | 'connected' | 'reconnecting' | 'closed'

export interface HostConnection extends HostClient {
  readonly status: ConnectionStatus
  /** Called after each change of `status`. Returns the function that ends it. */
  onStatus(listener: (status: ConnectionStatus) => void): () => void
  close(): void
}
