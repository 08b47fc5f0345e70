// Ending the app: asks once when runs are live, cleans up once however often it is told to quit, and always ends. Nothing
// depends on it: a killed app leaves interrupted runs that can be resumed.

export type QuitAnswer = 'wait' | 'cancel' | 'stay'

export interface QuitPorts {
  /** Runs that would end with the app. */
  liveRuns(): Promise<number>
  ask(liveRuns: number): Promise<QuitAnswer>
  /** Resolves once no run is live. */
  whenQuiet(): Promise<void>
  /** Cancels what runs and closes the store. */
  cleanUp(reason: string): Promise<void>
  /** Ends the process. */
  end(): void
  onError(error: unknown): void
}

export interface Quit {
  /** The user wants to quit: may ask, may be answered with "stay". */
  request(): Promise<void>
  /** Nobody can be asked (a signal, the system shutting down): cancels and ends. */
  now(reason: string): Promise<void>
}

/** Cancelling has its own grace of 5 s; past this the process ends without it. */
const CLEAN_UP_LIMIT_MS = 10_000

export function createQuit(ports: QuitPorts): Quit {
  let asking = false
  let ending: Promise<void> | undefined
  // Each decision ends the one before it: "wait" stops waiting when the user asks to quit again.
  let decision = 0

  const finish = async (reason: string): Promise<void> => {
    await Promise.race([ports.cleanUp(reason), delay(CLEAN_UP_LIMIT_MS)]).catch((error: unknown) =>
      ports.onError(error),
    )
    ports.end()
  }
  const end = (reason: string): Promise<void> => (ending ??= finish(reason))

  const decide = async (): Promise<void> => {
    const mine = ++decision
    const live = await ports.liveRuns()
    const answer = live === 0 ? 'cancel' : await ports.ask(live)
    if (answer === 'stay') return
    if (answer === 'wait') {
      // Waiting is over before the next question may be asked.
      void ports.whenQuiet().then(() => (mine === decision ? end('Weft was closed') : undefined), ports.onError)
      return
    }
    await end('Weft was closed')
  }

  return {
    async request() {
      if (ending !== undefined) return ending
      if (asking) return
      asking = true
      try {
        await decide()
      } catch (error) {
        // A question that can't be asked must not keep the app open for ever.
        ports.onError(error)
        await end('Weft was closed')
      } finally {
        asking = false
      }
    },
    now: end,
  }
}

const delay = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
