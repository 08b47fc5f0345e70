// How long the app stays when it has neither windows nor live runs: long enough to click on what it told last.

/** As long as a host without a window waits for its next client. */
const LINGER_MS = 10 * 60_000

/** The function is told whether the app is idle; `end` is called when it has been for ten minutes. */
export function createLinger(end: () => void): (idle: boolean) => void {
  let timer: NodeJS.Timeout | undefined
  return (idle) => {
    if (!idle) {
      clearTimeout(timer)
      timer = undefined
    } else timer ??= setTimeout(end, LINGER_MS)
  }
}
