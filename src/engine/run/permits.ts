// Who may run: first come first served within a run, and a cap across runs that runs are served from in turn.

/** The cap across runs. */
export class SharedPermits {
  readonly #limit: number
  #inUse = 0
  readonly #waiting: RunPermits[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  tryTake(run: RunPermits): boolean {
    if (this.#inUse < this.#limit) {
      this.#inUse++
      return true
    }
    if (!this.#waiting.includes(run)) this.#waiting.push(run)
    return false
  }

  give(): void {
    this.#inUse--
    this.#waiting.shift()?.pump()
  }
}

interface Waiter {
  start(): void
}

/** The permits of one run. */
export class RunPermits {
  readonly #shared: SharedPermits
  readonly #queue: Waiter[] = []
  #limit: number
  #inUse = 0
  #open = true
  #blocked = false

  constructor(limit: number, shared: SharedPermits) {
    this.#limit = limit
    this.#shared = shared
  }

  /** Resolves with the function that gives the permit back, or with undefined once the signal aborts. */
  acquire(signal: AbortSignal, first = false): Promise<(() => void) | undefined> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(undefined)
      const leave = (): void => {
        const index = this.#queue.indexOf(waiter)
        if (index >= 0) this.#queue.splice(index, 1)
        resolve(undefined)
      }
      const waiter: Waiter = {
        start: () => {
          signal.removeEventListener('abort', leave)
          resolve(this.#makeRelease())
        },
      }
      signal.addEventListener('abort', leave, { once: true })
      if (first) this.#queue.unshift(waiter)
      else this.#queue.push(waiter)
      this.pump()
    })
  }

  get inUse(): number {
    return this.#inUse
  }

  get limit(): number {
    return this.#limit
  }

  /** A lower limit takes back no permit: none is given until there are fewer. */
  set limit(limit: number) {
    this.#limit = limit
    this.pump()
  }

  /** While closed nobody gets a permit; those given stay given. */
  set open(open: boolean) {
    this.#open = open
    if (open) this.pump()
  }

  /** The same for another reason: either one holds permits back. */
  set blocked(blocked: boolean) {
    this.#blocked = blocked
    if (!blocked) this.pump()
  }

  pump(): void {
    while (
      this.#open &&
      !this.#blocked &&
      this.#inUse < this.#limit &&
      this.#queue.length > 0 &&
      this.#shared.tryTake(this)
    ) {
      this.#inUse++
      this.#queue.shift()?.start()
    }
  }

  #makeRelease(): () => void {
    let held = true
    return () => {
      if (!held) return
      held = false
      this.#inUse--
      this.#shared.give()
      this.pump()
    }
  }
}
