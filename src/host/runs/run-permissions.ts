// Nobody can be asked yet: what an agent asks leave for is refused, and its run's record says by whom.

import type { PermissionGate } from '../../engine/index.ts'

export const REFUSE_ALL: PermissionGate = {
  ask: (_request, signal) =>
    Promise.resolve(signal.aborted ? { answer: 'reject', by: 'cancelled' } : { answer: 'reject', by: 'policy' }),
}
