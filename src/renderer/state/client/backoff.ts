// How long to wait before the next attempt to reach the host.

const FIRST_MS = 250
const LONGEST_MS = 10_000

/** Milliseconds before attempt `attempt` (from 1): doubling up to 10 s, with up to a quarter taken off at random. */
export function reconnectDelay(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1))
  return Math.round(full * (1 - random() / 4))
}
