// Keeps one locked-down worker ready, so that a run's first agent does not wait for it. Workers are never used twice.

import { Sandbox } from './sandbox.ts'
import { Watchdog, type WatchLimits } from './watchdog.ts'

/**
 * The next worker is warmed up this long after one was taken, and not while that one and the host still talk all the time:
 * starting a worker costs as much as a few hundred calls, and the new run needs the processor.
 */
const REWARM_MS = 100
const POLL_MS = 50
/** However much they talk: whoever starts the next run does not want to wait for its worker. */
const LATEST_MS = 1000

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
    clearTimeout(this.#timer)
    sandbox.worker.ref()
    try {
      await sandbox.ready
    } finally {
      this.#warmLater(REWARM_MS, { sandbox, handled: sandbox.handled, since: performance.now() })
    }
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

  #warmLater(delay: number, taken?: Taken): void {
    clearTimeout(this.#timer)
    if (this.#closed) return
    this.#timer = setTimeout(() => {
      if (taken !== undefined && isTalking(taken))
        this.#warmLater(POLL_MS, { ...taken, handled: taken.sandbox.handled })
      else this.#warmUp()
    }, delay)
    this.#timer.unref()
  }

  #warmUp(): void {
    if (this.#closed || this.#warm !== undefined) return
    const sandbox = this.#start()
    // A worker that waits for a run keeps no process alive; one that fails is tried anew by the next run.
    sandbox.worker.unref()
    this.#warm = sandbox
    sandbox.ready.catch(() => {
      if (this.#warm === sandbox) this.#warm = undefined
    })
  }
}

/** The worker that was taken last, and what it had answered when it was looked at. */
interface Taken {
  sandbox: Sandbox
  handled: number
  since: number
}

function isTalking({ sandbox, handled, since }: Taken): boolean {
  return (sandbox.busy || sandbox.handled !== handled) && performance.now() - since < LATEST_MS
}
