import { formatDuration, formatTicking } from '../state/format.ts'
import { useNow } from './app-context.tsx'

/** How long something has taken; ticks while `end` is open and `live` holds. */
export function Elapsed({ start, end, live }: { start: number | undefined; end: number | undefined; live: boolean }) {
  const ticking = live && start !== undefined && end === undefined
  const now = useNow(ticking)
  if (start === undefined) return null
  if (end !== undefined) return <>{formatDuration(end - start)}</>
  return live ? <>{formatTicking(now - start)}</> : null
}
