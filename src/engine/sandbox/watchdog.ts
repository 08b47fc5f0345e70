// Watches the workers that are running script: one that does not yield, or takes more memory than it may, is reported.
// V8's own heap limit is no help for either: at it, one large allocation ends the whole process.

import type { Sandbox } from './sandbox.ts'
import { canPollMemory } from './sandbox.ts'

export interface WatchLimits {
  syncTimeoutMs: number
  memoryMiB: number
}

export type Overrun = 'stuck' | 'memory'

const TICK_MS = 20
/** A tick this late says that the machine slept or is starved: it counts as one tick. */
const LATE_MS = 5 * TICK_MS

interface Watched {
  handled: number
  /** How long it has not yielded, in time during which this timer was punctual. */
  busyMs: number
  polling: boolean
  onOverrun(overrun: Overrun): void
}

export class Watchdog {
  readonly #limits: WatchLimits
  readonly #watched = new Map<Sandbox, Watched>()
  readonly #listeners = new WeakMap<Sandbox, (overrun: Overrun) => void>()
  #timer: NodeJS.Timeout | undefined
  #lastTick = 0

  constructor(limits: WatchLimits) {
    this.#limits = limits
  }

  /** Who is told when this sandbox overruns; told once. */
  onOverrun(sandbox: Sandbox, listener: (overrun: Overrun) => void): void {
    this.#listeners.set(sandbox, listener)
  }

  /** Called whenever something is sent; costs nothing while it is being watched already. */
  watch(sandbox: Sandbox): void {
    if (this.#watched.has(sandbox)) return
    const onOverrun = this.#listeners.get(sandbox)
    if (onOverrun === undefined) return
    this.#watched.set(sandbox, { handled: sandbox.handled, busyMs: 0, polling: false, onOverrun })
    if (this.#timer !== undefined) return
    this.#lastTick = performance.now()
    this.#timer = setInterval(() => this.#tick(), TICK_MS)
  }

  #tick(): void {
    const now = performance.now()
    const elapsed = now - this.#lastTick
    this.#lastTick = now
    for (const [sandbox, watched] of this.#watched) this.#check(sandbox, watched, elapsed > LATE_MS ? TICK_MS : elapsed)
    if (this.#watched.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #check(sandbox: Sandbox, watched: Watched, elapsed: number): void {
    if (!sandbox.busy) {
      this.#watched.delete(sandbox)
      return
    }
    if (sandbox.handled !== watched.handled) {
      watched.handled = sandbox.handled
      watched.busyMs = 0
      return
    }
    watched.busyMs += elapsed
    if (watched.busyMs >= this.#limits.syncTimeoutMs) this.#report(sandbox, watched, 'stuck')
    else if (canPollMemory()) void this.#pollMemory(sandbox, watched)
  }

  async #pollMemory(sandbox: Sandbox, watched: Watched): Promise<void> {
    if (watched.polling) return
    watched.polling = true
    try {
      const used = await readHeapBytes(sandbox)
      if (used > this.#limits.memoryMiB * 2 ** 20) this.#report(sandbox, watched, 'memory')
    } catch {
      // It has ended meanwhile: whoever listens to it knows.
    } finally {
      watched.polling = false
    }
  }

  #report(sandbox: Sandbox, watched: Watched, overrun: Overrun): void {
    if (this.#watched.get(sandbox) !== watched) return
    this.#watched.delete(sandbox)
    this.#listeners.delete(sandbox)
    watched.onOverrun(overrun)
  }
}

async function readHeapBytes(sandbox: Sandbox): Promise<number> {
  // In Node from 22.16 on; the type declarations are those of a newer one than the oldest runtime.
  const { used_heap_size: heap, external_memory: external } = await sandbox.worker.getHeapStatistics()
  return heap + external
}
