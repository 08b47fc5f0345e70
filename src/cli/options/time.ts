// Times as people type them: a date, a date and time, or how long ago.

import { InvalidArgumentError } from '@commander-js/extra-typings'

const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** A date means its midnight here; `12h` means twelve hours ago. Milliseconds since the epoch. */
export function parseTime(text: string): number {
  const trimmed = text.trim()
  const ago = /^(\d+(?:\.\d+)?)([mhdw])$/i.exec(trimmed)
  if (ago) return Date.now() - Number(ago[1]) * (UNIT_MS[ago[2]?.toLowerCase() ?? ''] ?? 0)
  const date = /^\d{4}-\d{2}-\d{2}$/.test(trimmed) ? `${trimmed}T00:00` : trimmed
  const at = /^\d{4}-/.test(date) ? Date.parse(date) : Number.NaN
  if (Number.isNaN(at)) {
    throw new InvalidArgumentError(
      'Give a date (2026-11-30), a date and time ("2026-11-30 19:00"), or how long ago (90m, 12h, 7d, 2w).',
    )
  }
  return at
}
