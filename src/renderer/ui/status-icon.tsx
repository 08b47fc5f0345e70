// One icon and colour a status, the same in lists, tabs and the tree. The word always stands beside it.

import {
  Ban,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleSlash,
  CircleX,
  History,
  LoaderCircle,
  Unplug,
  type LucideIcon,
} from 'lucide-react'
import { memo } from 'react'
import { cx } from './cx.ts'
import styles from './status-icon.module.css'

/** Of agents, levels and runs; `degraded` is a completed run in which something failed. */
export type ShownStatus =
  | 'queued'
  | 'running'
  | 'paused'
  | 'completed'
  | 'degraded'
  | 'failed'
  | 'error'
  | 'skipped'
  | 'cancelled'
  | 'interrupted'
  | 'replayed'

const ICONS: Record<ShownStatus, LucideIcon> = {
  queued: CircleDashed,
  running: LoaderCircle,
  paused: CirclePause,
  completed: CircleCheck,
  degraded: CircleAlert,
  failed: CircleX,
  error: CircleX,
  skipped: CircleSlash,
  cancelled: Ban,
  interrupted: Unplug,
  replayed: History,
}

interface StatusIconProps {
  status: ShownStatus
  size?: number
}

/** Drawn anew only with another status: the rows that show it change many times a second while agents stream. */
export const StatusIcon = memo(function StatusIcon({ status, size = 14 }: StatusIconProps) {
  const Icon = ICONS[status]
  return <Icon size={size} aria-hidden className={cx(styles['icon'], styles[status])} />
})

/** The class that gives text the status's colour. */
export function statusColour(status: ShownStatus): string {
  // Colour alone, without the icon's turning.
  return status === 'running' ? '' : (styles[status] ?? '')
}
