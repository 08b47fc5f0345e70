// Waiting for a condition of the world outside (a file, a process), where no event tells of it.

/** Looks every few milliseconds until `look` answers something; rejects after `timeoutMs`, naming what was waited for. */
export async function waitUntil<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs = 15_000,
): Promise<T> {
  const until = Date.now() + timeoutMs
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (Date.now() > until) throw new Error(`${what} did not happen within ${timeoutMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
