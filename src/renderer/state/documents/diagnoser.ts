// Asks the host what is wrong with a script, shortly after the last key, and drops answers that a newer text has overtaken.

import type { HostCallResults, HostClient } from '../../../shared/index.ts'

export type Diagnosis = HostCallResults['script.diagnose']

export interface Diagnoser {
  /** To be called on each change. */
  request(): void
  /** At once, without waiting for a pause in typing. */
  requestNow(): void
  dispose(): void
}

export interface DiagnoserOptions {
  client: Pick<HostClient, 'call'>
  workspace: string
  fileName: string
  getText(): string
  onDiagnosis(diagnosis: Diagnosis): void
  onError(error: unknown): void
  delayMs?: number
}

// Markers are due 150 ms after the last key; the host needs some of that.
const DELAY_MS = 80

export function createDiagnoser(options: DiagnoserOptions): Diagnoser {
  const { client, workspace, fileName, delayMs = DELAY_MS } = options
  let timer: ReturnType<typeof setTimeout> | undefined
  let latest = 0

  const ask = async (): Promise<void> => {
    const ticket = ++latest
    try {
      const diagnosis = await client.call('script.diagnose', { text: options.getText(), fileName, workspace })
      if (ticket === latest) options.onDiagnosis(diagnosis)
    } catch (error) {
      if (ticket === latest) options.onError(error)
    }
  }
  const stop = (): void => {
    clearTimeout(timer)
    timer = undefined
  }
  const requestNow = (): void => {
    stop()
    void ask()
  }
  return {
    request() {
      // What is under way is out of date from this key on.
      latest++
      stop()
      timer = setTimeout(requestNow, delayMs)
    },
    requestNow,
    dispose() {
      latest++
      stop()
    },
  }
}
