// `weft host`: a host without a window or a page, as the bridge of the first harness starts it. It ends by itself.

import { isNewerVersion } from '../../shared/index.ts'
import type { CliContext } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { openOwnHost } from '../host/open-host.ts'
import { IDLE_MS, whenIdle } from '../host/when-idle.ts'

/** `idle` in seconds. Rejects with CONFLICT when another host has the data folder. */
export async function runHeadless(context: CliContext, { idle }: { idle?: number }): Promise<ExitCode> {
  const told = new Promise<void>((resolve) => context.signals.handle(() => resolve()))
  let giveWay = (): void => {}
  const isOutdated = new Promise<void>((resolve) => {
    giveWay = resolve
  })
  const host = await openOwnHost(context, {
    async retire(version) {
      if (!isNewerVersion(version, context.version)) return false
      giveWay()
      return Promise.race([host.whenQuiet().then(() => true), new Promise<false>((busy) => setImmediate(busy, false))])
    },
  })
  try {
    const watcher = host.openSession({ kind: 'cli', name: 'weft host', workspace: context.cwd })
    const idleMs = idle === undefined ? IDLE_MS : idle * 1000
    // Its clients come again to the newer one, which the first of them starts.
    const replaced = isOutdated.then(() => host.whenQuiet())
    await Promise.race([told, replaced, whenIdle(watcher, idleMs, { used: true })])
  } finally {
    context.signals.handle(undefined)
    await host.dispose('weft host has ended')
  }
  return EXIT.completed
}
