// One key as an answer, from a terminal: read while something is asked and at no other time, so that whatever else is typed
// stays the shell's.

export interface Keyboard {
  /** Resolves with the first of `keys` that is pressed; undefined when `signal` says that nobody asks any more. */
  read(keys: readonly string[], signal?: AbortSignal): Promise<string | undefined>
}

/** Ctrl-C, which is no signal while keys are read one by one. */
export const INTERRUPT = '\u0003'
export const ENTER = '\r'

/** The part of `process.stdin` that is needed. */
export interface KeySource {
  readonly isTTY?: boolean
  setRawMode?(raw: boolean): unknown
  on(event: 'data', listener: (data: Buffer | string) => void): unknown
  off(event: 'data', listener: (data: Buffer | string) => void): unknown
  resume(): unknown
  pause(): unknown
}

/** Undefined where nobody types. `onInterrupt` is told of a Ctrl-C that is not among the keys. */
export function createKeyboard(source: KeySource, onInterrupt: () => void): Keyboard | undefined {
  if (source.isTTY !== true || source.setRawMode === undefined) return undefined
  return {
    read: (keys, signal) =>
      new Promise((resolve) => {
        const end = (key: string | undefined): void => {
          source.off('data', onData)
          signal?.removeEventListener('abort', onAbort)
          source.setRawMode?.(false)
          source.pause()
          resolve(key)
        }
        const onAbort = (): void => end(undefined)
        const onData = (data: Buffer | string): void => {
          for (const typed of String(data).toLowerCase()) {
            const key = typed === '\n' ? ENTER : typed
            if (keys.includes(key)) return end(key)
            if (key === INTERRUPT) onInterrupt()
          }
        }
        if (signal?.aborted === true) return resolve(undefined)
        signal?.addEventListener('abort', onAbort, { once: true })
        source.on('data', onData)
        source.setRawMode?.(true)
        source.resume()
      }),
  }
}
