// Durations that tick while something runs.

import { formatDuration, formatTicking } from '../state/format.ts'
import { useTimeText } from './app-context.tsx'

interface ElapsedProps {
  start: number | undefined
  end: number | undefined
  live: boolean
}

/** How long something has taken; ticks while `end` is open and `live` holds. */
export function Elapsed({ start, end, live }: ElapsedProps) {
  return useTimeText(live && start !== undefined && end === undefined, (now) => {
    if (start === undefined) return ''
    if (end !== undefined) return formatDuration(end - start)
    return live ? formatTicking(now - start) : ''
  })
}
