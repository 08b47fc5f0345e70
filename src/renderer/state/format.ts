// Numbers and times as the window writes them: short, steady in width, the same everywhere.

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `0.4 s`, `12 s`, `3 m 05 s`, `2 h 07 m`. */
export function formatDuration(ms: number): string {
  const span = Math.max(0, ms)
  if (span < 10 * SECOND) return `${(Math.floor(span / 100) / 10).toFixed(1)} s`
  if (span < MINUTE) return `${Math.floor(span / SECOND)} s`
  if (span < HOUR) return `${Math.floor(span / MINUTE)} m ${pad(Math.floor((span % MINUTE) / SECOND))} s`
  return `${Math.floor(span / HOUR)} h ${pad(Math.floor((span % HOUR) / MINUTE))} m`
}

/** The same in whole seconds, for what ticks once a second. */
export function formatTicking(ms: number): string {
  const span = Math.max(0, ms)
  return span < MINUTE ? `${Math.floor(span / SECOND)} s` : formatDuration(span)
}

/** `950`, `1.2k`, `34k`, `1.2M`. */
export function formatCount(count: number): string {
  if (count < 1000) return String(Math.round(count))
  if (count < 10_000) return `${trimZero((Math.floor(count / 100) / 10).toFixed(1))}k`
  if (count < 1_000_000) return `${Math.floor(count / 1000)}k`
  return `${trimZero((Math.floor(count / 100_000) / 10).toFixed(1))}M`
}

/** `$0.0042`, `$1.20`. */
export function formatCost(usd: number): string {
  return `$${usd > 0 && usd < 0.01 ? usd.toFixed(4) : usd.toFixed(2)}`
}

/** `12:03:45`, in local time. */
export function formatClockTime(at: number): string {
  const date = new Date(at)
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`
}

/** `just now`, `5 m ago`, `3 h ago`, `2 d ago`, then the date. */
export function formatAgo(at: number, now: number): string {
  const span = now - at
  if (span < MINUTE) return 'just now'
  if (span < HOUR) return `${Math.floor(span / MINUTE)} m ago`
  if (span < DAY) return `${Math.floor(span / HOUR)} h ago`
  if (span < 7 * DAY) return `${Math.floor(span / DAY)} d ago`
  const date = new Date(at)
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
}

const pad = (part: number): string => String(part).padStart(2, '0')
const trimZero = (text: string): string => text.replace(/\.0$/, '')
