// `weft host`: a host without a window or a page, as the bridge of the first harness starts it. It ends by itself.

import type { CliContext } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { openOwnHost } from '../host/open-host.ts'
import { IDLE_MS, whenIdle } from '../host/when-idle.ts'

/** `idle` in seconds. Rejects with CONFLICT when another host has the data folder. */
export async function runHeadless(context: CliContext, { idle }: { idle?: number }): Promise<ExitCode> {
  const told = new Promise<void>((resolve) => context.signals.handle(() => resolve()))
  const host = await openOwnHost(context)
  try {
    const watcher = host.openSession({ kind: 'cli', name: 'weft host', workspace: context.cwd })
    const idleMs = idle === undefined ? IDLE_MS : idle * 1000
    await Promise.race([told, whenIdle(watcher, idleMs, { used: true })])
  } finally {
    context.signals.handle(undefined)
    await host.dispose('weft host has ended')
  }
  return EXIT.completed
}
