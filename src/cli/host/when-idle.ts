// A headless host does not outlive its use: it ends some time after its last client has left and nothing runs any more.

import type { HostClient, HostStatus } from '../../shared/index.ts'

export const IDLE_MS = 10 * 60_000

/**
 * Resolves `idleMs` after the last other client has left with no live run. `watcher` is a session of the same host and
 * not counted. As long as nobody has come at all, it does not resolve, unless `used` says that somebody was expected.
 */
export function whenIdle(
  watcher: HostClient,
  idleMs: number = IDLE_MS,
  { used: usedBefore = false }: { used?: boolean } = {},
): Promise<void> {
  return new Promise((resolve) => {
    let used = usedBefore
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

/**
 * Resolves once no run but `ownRuns` is live and no other client is left, or, with clients that run nothing, `patienceMs`
 * after the last change. `watcher` is a session of the same host and not counted.
 */
export function whenDeserted(watcher: HostClient, patienceMs: number, ownRuns = 0): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const end = (): void => {
      stop()
      resolve()
    }
    const judge = ({ clients, liveRuns }: HostStatus): void => {
      clearTimeout(timer)
      if (liveRuns > ownRuns) return
      if (clients <= 1) end()
      else timer = setTimeout(end, patienceMs)
    }
    const stop = watcher.on('host.status', judge)
    watcher.call('host.status', {}).then(judge, reject)
  })
}
