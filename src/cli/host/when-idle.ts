// A headless host does not outlive its use: it ends some time after its last client has left and nothing runs any more.

import type { HostClient, HostStatus } from '../../shared/index.ts'

export const IDLE_MS = 10 * 60_000

/**
 * Resolves `idleMs` after the last other client has left with no live run. `watcher` is a session of the same host and
 * not counted. As long as nobody has come at all, it does not resolve.
 */
export function whenIdle(watcher: HostClient, idleMs: number = IDLE_MS): Promise<void> {
  return new Promise((resolve) => {
    let used = false
    let timer: NodeJS.Timeout | undefined
    const judge = ({ clients, liveRuns }: HostStatus): void => {
      used ||= clients > 1
      if (!used || clients > 1 || liveRuns > 0) {
        clearTimeout(timer)
        timer = undefined
      } else timer ??= setTimeout(resolve, idleMs).unref()
    }
    watcher.on('host.status', judge)
  })
}
