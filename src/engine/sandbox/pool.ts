// Keeps one locked-down worker ready, so that a run's first agent does not wait for it. Workers are never used twice.

import { Sandbox } from './sandbox.ts'
import { Watchdog, type WatchLimits } from './watchdog.ts'

/** The next worker is warmed up this long after one was taken: not while the new run needs the processor most. */
const REWARM_MS = 100

export class SandboxPool {
  readonly watchdog: Watchdog
  readonly #file: string | URL
  readonly #memoryMiB: number
  #warm: Sandbox | undefined
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(file: string | URL, limits: WatchLimits) {
    this.#file = file
    this.#memoryMiB = limits.memoryMiB
    this.watchdog = new Watchdog(limits)
    this.#warmLater(0)
  }

  /** A locked-down worker of the caller's own, to be ended by it. Rejects when no worker can be started. */
  async take(): Promise<Sandbox> {
    const sandbox = this.#warm ?? this.#start()
    this.#warm = undefined
    this.#warmLater(REWARM_MS)
    sandbox.worker.ref()
    await sandbox.ready
    return sandbox
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#warm?.end()
    this.#warm = undefined
  }

  #start(): Sandbox {
    return new Sandbox(this.#file, this.#memoryMiB, (sandbox) => this.watchdog.watch(sandbox))
  }

  #warmLater(delay: number): void {
    clearTimeout(this.#timer)
    if (this.#closed) return
    this.#timer = setTimeout(() => {
      if (this.#closed || this.#warm !== undefined) return
      const sandbox = this.#start()
      // A worker that waits for a run keeps no process alive; one that fails is tried anew by the next run.
      sandbox.worker.unref()
      this.#warm = sandbox
      sandbox.ready.catch(() => {
        if (this.#warm === sandbox) this.#warm = undefined
      })
    }, delay)
    this.#timer.unref()
  }
}
