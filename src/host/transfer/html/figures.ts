// Numbers of a run as a reader wants them.

/** `12 ms`, `3.4 s`, `2 min 5 s`, `1 h 3 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1000)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export const formatTokens = (count: number): string => Math.round(count).toLocaleString('en-US')

export const formatCost = (usd: number): string => `$${usd.toFixed(usd < 1 ? 4 : 2)}`

/** UTC: a file is read in other time zones than it was written in. */
export const formatInstant = (ms: number): string =>
  `${new Date(ms)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, '')} UTC`
