// The bridge's line to the host: dialled again whenever it is lost, and a host is started where there is none.

import type { Duplex } from 'node:stream'

const RETRY_MS = 50
/** A host that is just starting owns its folder before it listens. */
const PATIENCE_MS = 20_000
/** What was started may have given way to another one that then went, too. */
const START_AGAIN_MS = 5000

export interface HostLineOptions {
  /** Connects and sends the first line. Rejects when no host listens. */
  dial(): Promise<Duplex>
  /** Starts a host that outlives this process. */
  startHost(): void
  log(message: string): void
}

export class HostLine {
  readonly #options: HostLineOptions
  #closed = false

  constructor(options: HostLineOptions) {
    this.#options = options
  }

  /** Rejects when no host could be reached for a while; undefined once the line was closed. */
  async open(): Promise<Duplex | undefined> {
    const { dial, startHost, log } = this.#options
    const until = Date.now() + PATIENCE_MS
    let startAt = 0
    while (!this.#closed) {
      // Each attempt depends on how the one before it failed.
      // oxlint-disable no-await-in-loop
      try {
        const socket = await dial()
        if (!this.#closed) return socket
        socket.destroy()
      } catch (error) {
        const now = Date.now()
        if (now > until) throw new Error('no Weft host could be reached or started', { cause: error })
        if (now >= startAt) {
          log('no host is running: starting one')
          startHost()
          startAt = now + START_AGAIN_MS
        }
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      // oxlint-enable no-await-in-loop
    }
    return undefined
  }

  close(): void {
    this.#closed = true
  }
}
