// Durations, tokens, costs and times as the command line writes them.

/** `250ms`, `3.1s`, `12s`, `2m 05s`, `1h 02m`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))}ms`
  if (ms < 9950) return `${(ms / 1000).toFixed(1)}s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m ${pad(seconds % 60)}s`
  return `${Math.floor(minutes / 60)}h ${pad(minutes % 60)}m`
}

/** `640`, `4.1k`, `1.2M`: for columns. */
export function formatCount(value: number): string {
  if (value < 1000) return String(Math.round(value))
  if (value < 999_950) return `${(value / 1000).toFixed(1)}k`
  return `${(value / 1_000_000).toFixed(1)}M`
}

/** `1,240 output tokens`, `18,000 of 20,000 output tokens`: spent and limit in the same unit. */
export function formatSpent(outputTokens: number, budget: number | null): string {
  const spent = outputTokens.toLocaleString('en-US')
  return budget === null ? `${spent} output tokens` : `${spent} of ${budget.toLocaleString('en-US')} output tokens`
}

/** `$0.42`, and as many digits as a small amount needs. */
export function formatCost(usd: number): string {
  return `$${usd >= 0.1 || usd === 0 ? usd.toFixed(2) : usd.toPrecision(2)}`
}

/** `2026-11-30 19:33` in the reader's time zone. */
export function formatTime(at: number): string {
  const date = new Date(at)
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
  return `${day} ${pad(date.getHours())}:${pad(date.getMinutes())}`
}

const pad = (value: number): string => String(value).padStart(2, '0')
