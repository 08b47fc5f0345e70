// A patch as text, with added and removed lines told apart by their sign as well as by colour.

import { useMemo } from 'react'
import { cx } from '../../ui/cx.ts'
import styles from './branches.module.css'

/** More of them in one view would make it slow: what is beyond is said. */
const MAX_LINES = 5000

export function PatchView({ patch, label }: { patch: string; label: string }) {
  const lines = useMemo(() => patch.replace(/\n$/, '').split('\n'), [patch])
  return (
    <pre className={styles['patch']} tabIndex={0} role="group" aria-label={label}>
      {lines.slice(0, MAX_LINES).map((line, index) => (
        // Lines never move.
        // oxlint-disable-next-line react/no-array-index-key
        <span key={index} className={cx(styles['line'], classOf(line))}>
          {line}
          {'\n'}
        </span>
      ))}
      {lines.length > MAX_LINES && `… ${lines.length - MAX_LINES} more lines`}
    </pre>
  )
}

function classOf(line: string): string | undefined {
  if (/^(?:diff --git|index |--- |\+\+\+ |new file|deleted file|old mode|new mode)/.test(line)) return styles['head']
  if (line.startsWith('@@')) return styles['hunk']
  if (line.startsWith('+')) return styles['added']
  return line.startsWith('-') ? styles['removed'] : undefined
}
