// Closing the last window: with live runs it asks what becomes of them, without it ends the app.

export type CloseAnswer = 'keep' | 'cancel' | 'stay'

export interface ClosingPorts {
  /** Runs that would end with the app. */
  liveRuns(): Promise<number>
  ask(liveRuns: number): Promise<CloseAnswer>
  /** Closes the window, and the app goes on. */
  closeWindow(): void
  /** Ends the app; live runs are cancelled. */
  quit(): void
  onError(error: unknown): void
}

/** The function answers each wish to close the window; while a question is open further ones are dropped. */
export function createClosing(ports: ClosingPorts): () => Promise<void> {
  let asking = false
  return async () => {
    if (asking) return
    asking = true
    try {
      const live = await ports.liveRuns()
      const answer = live === 0 ? 'cancel' : await ports.ask(live)
      if (answer === 'cancel') ports.quit()
      else if (answer === 'keep') ports.closeWindow()
    } catch (error) {
      // A question that can't be asked must not keep the window open for ever.
      ports.onError(error)
      ports.quit()
    } finally {
      asking = false
    }
  }
}
