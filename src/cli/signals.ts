// Ctrl-C and its relatives, each press counted once. Under the bootstrap (bin/weft.mjs) a Ctrl-C arrives twice, from the
// terminal and forwarded by the parent; a `kill` of the parent arrives forwarded alone.

export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

const SIGNALS: readonly Signal[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

export interface Signals {
  /** Who handles signals from now on; undefined for the default, which is to end at once. */
  handle(handler: ((signal: Signal) => void) | undefined): void
}

/** The part of `process` that is needed, so that tests can stand in for it. */
export interface SignalSource {
  on(event: Signal, listener: () => void): unknown
  on(event: 'message', listener: (message: unknown) => void): unknown
  send?(message: unknown): unknown
  channel?: { unref(): void } | null | undefined
}

/** Pairs what came directly with what was forwarded: the greater of both counts is how often it was pressed. */
export class PressCounter {
  readonly #seen = { direct: 0, forwarded: 0 }
  #told = 0

  /** True when this arrival is a press that was not told yet. */
  arrive(from: 'direct' | 'forwarded'): boolean {
    this.#seen[from]++
    const pressed = Math.max(this.#seen.direct, this.#seen.forwarded)
    const isNew = pressed > this.#told
    this.#told = pressed
    return isNew
  }
}

export function installSignals(source: SignalSource, endAtOnce: (signal: Signal) => void): Signals {
  let handler: ((signal: Signal) => void) | undefined
  const counters = new Map(SIGNALS.map((signal) => [signal, new PressCounter()]))
  const arrive = (signal: Signal, from: 'direct' | 'forwarded'): void => {
    if (counters.get(signal)?.arrive(from)) (handler ?? endAtOnce)(signal)
  }
  for (const signal of SIGNALS) source.on(signal, () => arrive(signal, 'direct'))
  if (source.send) {
    source.on('message', (message) => {
      const signal = forwardedSignal(message)
      if (signal) arrive(signal, 'forwarded')
    })
    source.send({ type: 'weft:counts-signals' })
    // Listening must not keep the program alive.
    source.channel?.unref()
  }
  return { handle: (next) => void (handler = next) }
}

function forwardedSignal(message: unknown): Signal | undefined {
  if (typeof message !== 'object' || message === null || !('type' in message) || !('signal' in message))
    return undefined
  return message.type === 'weft:signal' ? SIGNALS.find((signal) => signal === message.signal) : undefined
}
