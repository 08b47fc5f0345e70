// How long a call may stay open: clients give up on longer ones. Measured with real clients.

/** Not answered before these, a call counts as failed for the client; so it is answered a little earlier. */
const KNOWN: readonly { name: RegExp; seconds: (hasToken: boolean) => number }[] = [
  // It waits as long as there is progress.
  { name: /^opencode/i, seconds: (hasToken) => (hasToken ? Infinity : 50) },
  { name: /^codex/i, seconds: () => 285 },
  { name: /^gemini/i, seconds: () => Infinity },
  { name: /^claude/i, seconds: () => Infinity },
]
const UNKNOWN_SECONDS = 50
/** A longer time in a timer would fire at once. */
const MAX_MS = 2 ** 31 - 1

/**
 * Milliseconds until a call has to be answered, Infinity for no limit. `setting` is `foregroundSeconds`, which goes before
 * what is known of the client; 0 waits for ever.
 */
export function callLimitMs(clientName: string | undefined, hasToken: boolean, setting: number | undefined): number {
  const seconds =
    setting === undefined
      ? (KNOWN.find(({ name }) => name.test(clientName ?? ''))?.seconds(hasToken) ?? UNKNOWN_SECONDS)
      : setting === 0
        ? Infinity
        : setting
  const ms = seconds * 1000
  return ms > MAX_MS ? Infinity : ms
}
